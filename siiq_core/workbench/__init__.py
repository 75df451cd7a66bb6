"""The statistician's workbench: the method run again with other parameters, in memory, and what that does to the published numbers.

Nothing here feeds the index. It reads what the stages made and calls the method that ships.
"""

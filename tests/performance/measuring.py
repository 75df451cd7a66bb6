"""How a benchmark is taken, and noted for scripts/bench.py."""


def timed(benchmark, group, results, call, per=1, rounds=3, warm=True, setup=None):
    """`call`, of which `per` units of work are wanted; `setup` makes its arguments anew each time and is not timed."""
    benchmark.group = group
    benchmark.extra_info.update(results=results, per=per)
    return benchmark.pedantic(call, setup=setup, rounds=rounds if results < 10**7 else 1, warmup_rounds=1 if warm and setup is None and results < 10**6 else 0)

"""Are the intervals right? Coverage in worlds where the model holds, standard errors with the parameters' share, κ over other folds."""

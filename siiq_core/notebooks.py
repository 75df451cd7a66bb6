"""Runs a stage's notebook through papermill; the executed copy is kept, and a failure is a named refusal."""

from __future__ import annotations

import errno
import logging
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from siiq_core.errors import PublicationError
from siiq_core.files import clear_asides, unwritable

_ASIDE = ".running.ipynb"
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)


def run_notebook(root: Path, name: str, parameters: Mapping[str, Any], folder: Path, timeout: int, made: str = "") -> Path:
    """Execute ``notebooks/<name>.ipynb`` with `parameters`; returns the executed copy in `folder`.

    Raises
    ------
    PublicationError
        A cell failed, took longer than `timeout` seconds, the kernel died, or `made` was not saved. Files of earlier runs are untouched,
        since a stage saves in its last cell.
    """
    import nbformat
    import papermill
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
    from papermill.exceptions import PapermillExecutionError

    logging.getLogger("papermill").setLevel(logging.ERROR)
    logging.getLogger("traitlets").setLevel(logging.CRITICAL)
    source = root / "notebooks" / f"{name}.ipynb"
    before = _written_at(folder / made) if made else 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=folder, prefix=f".{name}.", suffix=_ASIDE)
    except OSError as error:
        raise unwritable(f"{name}.ipynb", error) from error
    os.close(handle)
    try:
        papermill.execute_notebook(str(source), aside, parameters=dict(parameters), kernel_name="python3", cwd=str(root),
                                   progress_bar=False, log_output=False, execution_timeout=timeout, request_save_on_cell_execute=False,
                                   extra_arguments=["--IPKernelApp.log_level=50"])  # kernels chat on stderr; failures come as exceptions
    except (PapermillExecutionError, CellExecutionError) as error:
        what, _, remedy = f"{getattr(error, 'ename', 'error')}: {getattr(error, 'evalue', error)}".partition(" Remedy: ")
        raise PublicationError(f"notebook {name} failed: {what}", remedy=f"{remedy or 'mend what the message names'}; nothing was published") from error
    except CellTimeoutError as error:
        raise PublicationError(f"notebook {name}: a cell took longer than {timeout} s",
                               remedy="raise --timeout, or find out why; nothing was published") from error
    except DeadKernelError as error:
        raise PublicationError(f"notebook {name}: the kernel died", remedy="look for a lack of memory; nothing was published") from error
    except (OSError, ValueError, nbformat.ValidationError) as error:
        if isinstance(error, OSError) and error.errno in _UNWRITABLE:  # the copy, or what a kernel needs in the user's folder
            known = f"{name}.ipynb" if error.filename in (None, aside) else Path(error.filename).name
            raise unwritable(known, error) from error
        # no such notebook, or none at all
        raise PublicationError(f"notebook {name} cannot be run ({type(error).__name__})", file=source.name,
                               remedy="restore the notebook; nothing was published") from error
    else:
        if made and _written_at(folder / made) == before:
            raise PublicationError(f"notebook {name} ended without saving", file=made, remedy="its last cell must be stage.save(); nothing was published")
        target = folder / f"{name}.ipynb"
        os.chmod(aside, 0o644)
        os.replace(aside, target)
        return target
    finally:
        Path(aside).unlink(missing_ok=True)


def clear_left_overs(folder: Path) -> None:
    """Remove what a killed run left in a run folder. For its one writer only."""
    clear_asides(folder)
    for left_over in folder.glob(f".*{_ASIDE}"):
        left_over.unlink(missing_ok=True)


def _written_at(path: Path) -> int:
    return path.stat().st_mtime_ns if path.is_file() else 0

"""Joins a Policy to the component's exports."""

from componentize_py_types import Err
from wit_world.imports.types import Error_Other

from . import host


def session(policy):
    """The contract's session for a policy's class."""

    class Session:
        def __init__(self, episode):
            self._policy = _reported(policy, episode)

        def guidance(self):
            return _reported(self._policy.guidance)

        def filter(self, delta, observation):
            _answer(self._policy.observe, delta)
            return _answer(self._policy.filter, observation)

        def authorize(self, delta, proposal):
            _answer(self._policy.observe, delta)
            return _answer(self._policy.authorize, proposal)

        def precommit(self, delta, proposal):
            _answer(self._policy.observe, delta)
            return _answer(self._policy.precommit, proposal)

        def recover(self, delta):
            _answer(self._policy.observe, delta)
            return _answer(self._policy.recover)

        def endorse(self, memories, history):
            return _answer(self._policy.endorse, memories, history)

        def render(self, memories):
            return _answer(self._policy.render, memories)

    return Session


def _reported(hook, *arguments):
    """Calls a hook. There is no standard error in the sandbox, so what goes wrong is logged, where that is granted."""
    try:
        return hook(*arguments)
    except Err:
        raise
    except Exception as error:
        if host.may_log():
            host.log("\n".join([_described(error), *_frames(error)]), "error")
        raise


def _answer(hook, *arguments):
    """The same for a hook that can answer with an error."""
    try:
        return _reported(hook, *arguments)
    except Err:
        raise
    except Exception as error:
        where = _frames(error)[-1]
        raise Err(Error_Other(f"{_described(error)} ({where})")) from error


def _described(error):
    return f"{type(error).__name__}: {error}"


def _frames(error):
    """Where an error came from, the innermost last. The module `traceback` would open the sources, and there is no file."""
    frames, at = [], error.__traceback__
    while at is not None:
        code = at.tb_frame.f_code
        frames.append(f"{code.co_filename}:{at.tb_lineno} in {code.co_name}")
        at = at.tb_next
    return frames

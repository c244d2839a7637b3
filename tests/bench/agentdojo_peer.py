"""AgentDojo's own pipeline without a model: rollouts per CPU second and per second, for `make bench`.

Each rollout loads the workspace environment with an attack's text in it, lets AgentDojo's ground-truth pipeline carry out
the user's task, and scores utility and security with AgentDojo's checkers. Prints two numbers.
"""

import logging
import time
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement
from agentdojo.agent_pipeline.ground_truth_pipeline import GroundTruthPipeline
from agentdojo.attacks.attack_registry import load_attack
from agentdojo.task_suite.load_suites import get_suite

USER_TASKS = 10
INJECTION_TASKS = 6


class Named(BasePipelineElement):
    """The attack addresses the model by its name."""

    name = "gpt-4o-2024-05-13"

    def query(self, *_args, **_kwargs):
        raise NotImplementedError


def main():
    suite = get_suite("v1.2.2", "workspace")
    users = list(suite.user_tasks.values())[:USER_TASKS]
    injections = list(suite.injection_tasks.values())[:INJECTION_TASKS]
    attack = load_attack("important_instructions", suite, Named())
    texts = {(u.ID, i.ID): attack.attack(u, i) for u in users for i in injections}
    start, began = time.process_time(), time.perf_counter()
    for user in users:
        for injection in injections:
            suite.run_task_with_pipeline(GroundTruthPipeline(user), user, injection, texts[user.ID, injection.ID])
    print(f"{len(texts) / (time.process_time() - start):.2f} {len(texts) / (time.perf_counter() - began):.2f}")


main()

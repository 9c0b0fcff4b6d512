import type {TopicConversation} from '#state/model/conversation.ts';
import {actionTargets} from '#ui/actions/action-target.ts';
import type {AppReader} from '#ui/core/app-reader.ts';

/** Returns the topics that a command acts on: those of the selected rows, or else the shown one or that of the message. */
export function targetTopics(app: AppReader): readonly TopicConversation[] {
  return actionTargets(app).flatMap((target) =>
    target.kind === 'conversation' && target.conversation.kind === 'topic' ? [target.conversation] : [],
  );
}

export function noTopicProblem(app: AppReader): string | undefined {
  return targetTopics(app).length === 0 ? 'No topic is selected' : undefined;
}

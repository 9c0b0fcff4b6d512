import {type ConversationKey, conversationKey} from '#state/model/conversation.ts';
import {conversationOfNarrow} from '#state/model/narrow.ts';
import type {ScreenState} from '#ui/core/screen-state.ts';
import type {View} from '#ui/core/view.ts';

/** Returns the conversations visited before, latest first, each once and without the one on screen. */
export function visitedConversations({
  view,
  back,
  forward,
}: Pick<ScreenState, 'view' | 'back' | 'forward'>): readonly ConversationKey[] {
  const keys = new Set<ConversationKey>();
  for (const one of [...back.toReversed(), ...forward.toReversed()]) {
    const key = keyOfView(one);
    if (key !== undefined) keys.add(key);
  }
  const shown = keyOfView(view);
  if (shown !== undefined) keys.delete(shown);
  return [...keys];
}

function keyOfView(view: View): ConversationKey | undefined {
  const conversation = view.kind === 'messages' ? conversationOfNarrow(view.narrow) : undefined;
  return conversation === undefined ? undefined : conversationKey(conversation);
}

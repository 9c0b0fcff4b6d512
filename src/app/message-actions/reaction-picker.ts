import type {App} from '#app/core/app.ts';
import type {Frame} from '#app/core/frame.ts';
import {type ReactionCount, reactionCounts} from '#app/timeline/lines/trailing-parts.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import type {Message} from '#state/model/message.ts';
import {userName} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import {type EmojiChoice, emojiKey} from './emoji-choices.ts';
import {openEmojiPicker} from './emoji-picker.ts';
import {type ReactionChange, type ReactionEmoji, reactionChange} from './toggle-reaction.ts';

/** Opens a picker that adds a reaction to a message or removes the user's own. Existing reactions come first. */
export function openReactionPicker(
  app: App,
  {id}: Pick<Message, 'id'>,
  react: (app: App, reacting: ReactionChange) => void = (from, {action, label}) => performUndoable(from, action, label),
): void {
  openEmojiPicker(app, {
    id: 'reactions',
    title: 'React',
    hint: 'Enter adds or removes · Tab keeps the picker open',
    firstTitle: 'On this message',
    first: ({account}) => reactionsOf(account, id).map(({reaction}) => ({emoji: reaction})),
    about: (frame, emoji) => whoReacted(frame, id, emoji),
    accept: (from, emoji, how) => {
      if (how !== 'tab') from.closeOverlay();
      const message = from.state.messages.byId.get(id);
      if (message === undefined) from.toast('This message no longer exists.', 'warning');
      else react(from, reactionChange(from, message, emoji));
    },
  });
}

function reactionsOf({messages}: AccountState, id: number): readonly ReactionCount[] {
  const message = messages.byId.get(id);
  return message === undefined ? [] : reactionCounts(message);
}

function whoReacted({account}: Frame, id: number, emoji: ReactionEmoji): Partial<EmojiChoice> {
  const key = emojiKey(emoji);
  const found = reactionsOf(account, id).find(({reaction}) => emojiKey(reaction) === key);
  if (found === undefined) return {};
  const isOwn = found.userIds.includes(account.self.userId);
  const count = String(found.userIds.length);
  return {detail: reactorNames(account, found.userIds), right: isOwn ? `[${count}]` : count};
}

/** Returns the names of the people who reacted, the user first. */
function reactorNames(account: AccountState, userIds: readonly number[]): string {
  const {userId} = account.self;
  const others = userIds.filter((id) => id !== userId).map((id) => userName(account, id));
  return [...(userIds.includes(userId) ? ['you'] : []), ...others].join(', ');
}

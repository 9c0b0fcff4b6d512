import type {Message} from '#state/model/message.ts';
import {reactorNames} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import type {App} from '#ui/core/app.ts';
import type {Frame} from '#ui/core/frame.ts';
import {type ReactionCount, reactionCounts} from '#ui/message-pane/lines/trailing-parts.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';
import {type EmojiChoice, emojiKey} from './emoji-choices.ts';
import {openEmojiPicker, pickerColumns} from './emoji-picker.ts';
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
    helpLines: namesLines(app.state, id),
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

/** The picker does not become higher than this for names. */
const maxNamesLines = 6;

/** Returns the number of lines for the names of a reaction, which a row of the picker would cut. */
function namesLines(account: AccountState, id: number): number {
  const longest = Math.max(0, ...reactionsOf(account, id).map(({userIds}) => reactorNames(account, userIds).length));
  return longest < pickerColumns / 2 ? 0 : Math.min(maxNamesLines, Math.ceil((longest * 1.2) / pickerColumns));
}

function whoReacted({account}: Frame, id: number, emoji: ReactionEmoji): Partial<EmojiChoice> {
  const key = emojiKey(emoji);
  const found = reactionsOf(account, id).find(({reaction}) => emojiKey(reaction) === key);
  if (found === undefined) return {};
  const isOwn = found.userIds.includes(account.self.userId);
  const count = String(found.userIds.length);
  const names = reactorNames(account, found.userIds);
  return {detail: names, help: names, right: isOwn ? `[${count}]` : count};
}

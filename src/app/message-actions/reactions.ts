import type {App} from '#app/core/app.ts';
import {
  type EmojiChoice,
  emojiKey,
  emojiLabel,
  openEmojiPicker,
  pickerColumns,
  type ReactionEmoji,
} from '#app/emoji/emoji-picker.ts';
import {performUndoable} from '#app/undo/perform-undoable.ts';
import type {ReactionAction} from '#state/actions/message-flags.ts';
import type {Message} from '#state/model/message.ts';
import {reactorNames} from '#state/selectors/names/names.ts';
import type {AccountState} from '#state/state.ts';
import type {Frame} from '#ui/core/frame.ts';
import {type ReactionCount, reactionCounts} from '#ui/message-pane/lines/message-lines.ts';
import {sameEmoji} from '#wire/objects/message.ts';

/** Opens a picker that adds a reaction to a message or removes the user's own. Existing reactions come first. */
export function openReactionPicker(
  app: App,
  {id}: Pick<Message, 'id'>,
  react: (app: App, reacting: ReactionChange) => void = (from, {action, label}) => performUndoable(from, action, label),
): void {
  openEmojiPicker(app, {
    id: 'reactions',
    title: 'React',
    hint: {Enter: 'adds or removes', Tab: 'keeps the picker open'},
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

export const thumbsUp: ReactionEmoji = {emojiName: '+1', emojiCode: '1f44d', reactionType: 'unicode_emoji'};

export interface ReactionChange {
  readonly action: ReactionAction;
  /** In the past tense. */
  readonly label: string;
}

/** Returns the change that adds a reaction, or removes the user's own. */
export function reactionChange(app: App, {id, reactions}: Message, emoji: ReactionEmoji): ReactionChange {
  const {emojiName, emojiCode, reactionType} = emoji;
  const isOwn = reactions.some(
    (other) =>
      other.userId === app.state.self.userId &&
      sameEmoji(
        {emoji_code: other.emojiCode, reaction_type: other.reactionType},
        {emoji_code: emojiCode, reaction_type: reactionType},
      ),
  );
  const shown = emojiLabel(app, emoji);
  const op = isOwn ? 'remove' : 'add';
  return {
    action: {kind: 'reaction', op, messageId: id, emojiName, emojiCode, reactionType},
    label: isOwn ? `Removed ${shown}` : `Reacted with ${shown}`,
  };
}

/** Adds a reaction, or removes the user's own. */
export function toggleReaction(app: App, message: Message, emoji: ReactionEmoji): void {
  const {action, label} = reactionChange(app, message, emoji);
  performUndoable(app, action, label);
}

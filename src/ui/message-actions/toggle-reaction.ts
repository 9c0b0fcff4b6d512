import {emojiText} from '#content/emoji-text.ts';
import type {ReactionAction} from '#state/actions/reactions.ts';
import type {Message, Reaction} from '#state/model/message.ts';
import type {App} from '#ui/core/app.ts';
import {shownEmoji} from '#ui/message-pane/lines/trailing-parts.ts';
import {performUndoable} from '#ui/undo/perform-undoable.ts';
import {sameEmoji} from '#wire/objects/reaction.ts';

export type ReactionEmoji = Omit<Reaction, 'userId'>;

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
  const {glyphs, emoji: options} = app.display;
  const shown = emojiText(shownEmoji({...emoji, userId: 0}), {...options, ascii: glyphs === 'ascii'});
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

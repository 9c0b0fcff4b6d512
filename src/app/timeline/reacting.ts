import type {App} from '#app/app.ts';
import {doUndoably} from '#app/deeds.ts';
import {emojiText} from '#content/pieces/emoji.ts';
import type {Message, Reaction} from '#state/model/message.ts';
import {sameEmoji} from '#wire/objects/reaction.ts';
import {shownEmoji} from './trailing.ts';

export type ReactionEmoji = Omit<Reaction, 'userId'>;

export const thumb: ReactionEmoji = {emojiName: '+1', emojiCode: '1f44d', reactionType: 'unicode_emoji'};

/** Gives a reaction, or takes one's own back. */
export function toggleReaction(app: App, message: Message, emoji: ReactionEmoji): void {
  const {emojiName, emojiCode, reactionType} = emoji;
  const isOwn = message.reactions.some(
    (other) =>
      other.userId === app.state.self.userId &&
      sameEmoji(
        {emoji_code: other.emojiCode, reaction_type: other.reactionType},
        {emoji_code: emojiCode, reaction_type: reactionType},
      ),
  );
  const {glyphs, emoji: options} = app.looks;
  const shown = emojiText(shownEmoji({...emoji, userId: 0}), {...options, ascii: glyphs === 'ascii'});
  doUndoably(
    app,
    {
      kind: 'reaction',
      op: isOwn ? 'remove' : 'add',
      messageId: message.id,
      emojiName,
      emojiCode,
      reactionType,
    },
    isOwn ? `Took back ${shown}` : `Reacted with ${shown}`,
  );
}

import type {Reaction} from '#state/model/message.ts';
import type {AccountState} from '#state/state.ts';
import type {EventOf} from '#wire/events.ts';
import {normalizedReactionType, sameEmoji} from '#wire/objects/reaction.ts';
import type {ActionHandler} from './action-handler.ts';

export interface ReactionAction {
  readonly kind: 'reaction';
  readonly op: 'add' | 'remove';
  readonly messageId: number;
  readonly emojiName: string;
  readonly emojiCode: string;
  readonly reactionType: string;
}

export const reactionHandler: ActionHandler<ReactionAction> = {
  /** Uses the emoji name of the first reaction, because an emoji has one name per message. */
  effective(state, action) {
    const present = sameReactions(state, action);
    const hasReacted = present.some(({userId}) => userId === state.self.userId);
    const isLoaded = state.messages.byId.has(action.messageId);
    if (isLoaded && hasReacted === (action.op === 'add')) return undefined;
    const [first] = present;
    if (first !== undefined) {
      return {...action, emojiName: first.emojiName, reactionType: first.reactionType};
    }
    const isExtra = normalizedReactionType(action.reactionType) === 'extra_emoji';
    return isExtra ? {...action, reactionType: state.server.extraEmojiType} : action;
  },

  optimisticEvents: (state, action): EventOf<'reaction'>[] => [
    {
      type: 'reaction',
      id: -1,
      op: action.op,
      message_id: action.messageId,
      user_id: state.self.userId,
      emoji_name: action.emojiName,
      emoji_code: action.emojiCode,
      reaction_type: action.reactionType,
    },
  ],

  inverse: (_state, action) => ({...action, op: action.op === 'add' ? 'remove' : 'add'}),

  async request(api, action) {
    const args = {
      message_id: action.messageId,
      emoji_name: action.emojiName,
      emoji_code: action.emojiCode,
      reaction_type: action.reactionType,
    };
    await (action.op === 'add' ? api.addReaction(args) : api.removeReaction(args));
  },
};

/** Returns all reactions with this emoji, oldest first. */
function sameReactions({messages}: AccountState, action: ReactionAction): readonly Reaction[] {
  const emoji = {emoji_code: action.emojiCode, reaction_type: action.reactionType};
  const all = messages.byId.get(action.messageId)?.reactions ?? [];
  return all.filter(({emojiCode, reactionType}) =>
    sameEmoji({emoji_code: emojiCode, reaction_type: reactionType}, emoji),
  );
}

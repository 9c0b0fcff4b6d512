import {type Infer, int, object, openEnum, s} from '#wire/schema.ts';

/** The kind of emoji. Zulip's name of the third is `zulip_extra_emoji`; both are in use. */
export const reactionType = openEnum('unicode_emoji', 'realm_emoji', 'extra_emoji', 'zulip_extra_emoji');
export type ReactionType = Infer<typeof reactionType>;

const reactor = object({}, {user_id: int, id: int, email: s.string(), full_name: s.string()});

export const emojiIdentity = {
  emoji_name: s.string(),
  emoji_code: s.string(),
  reaction_type: reactionType,
};

export const reaction = object({...emojiIdentity, user_id: int}, {user: reactor});
export type WireReaction = Infer<typeof reaction>;

/** Returns the type with a single name for the built-in extra emoji. */
export function normalizedReactionType(type: ReactionType): ReactionType {
  return type === 'zulip_extra_emoji' ? 'extra_emoji' : type;
}

export function sameReactionType(a: ReactionType, b: ReactionType): boolean {
  return normalizedReactionType(a) === normalizedReactionType(b);
}

type EmojiIdentity = Pick<WireReaction, 'reaction_type' | 'emoji_code'>;

/** Compares two emoji without their names, because an emoji has many names. */
export function sameEmoji(a: EmojiIdentity, b: EmojiIdentity): boolean {
  return a.emoji_code === b.emoji_code && sameReactionType(a.reaction_type, b.reaction_type);
}

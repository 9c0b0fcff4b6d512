import {builtInEmoji} from '#content/emoji.ts';
import type {ActionContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';
import {normalizedReactionType} from '#wire/objects/reaction.ts';

export interface EmojiReference {
  readonly emoji_name: string;
  readonly emoji_code: string;
  readonly reaction_type: string;
}

/** An emoji as a request names it: by name, by code, or by both. */
export interface EmojiRequest {
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: string | undefined;
}

const extraEmoji = 'zulip';
const kinds = new Set(['unicode_emoji', 'realm_emoji', 'extra_emoji']);

/** Returns the emoji that a request refers to; throws if it does not exist or is deactivated. */
export function resolveEmoji(act: Pick<ActionContext, 'server'>, request: EmojiRequest): EmojiReference {
  const {emoji_name: name, emoji_code: code} = request;
  const kind = request.reaction_type === undefined ? undefined : normalizedReactionType(request.reaction_type);
  if (kind !== undefined && !kinds.has(kind)) throw badRequest('Invalid emoji type.');
  if (code === undefined) {
    if (name === undefined) throw badRequest('Specify the emoji by emoji_name or emoji_code');
    const emoji = emojiByName(act, name, kind);
    if (emoji === undefined) throw badRequest(`Emoji '${name}' does not exist`);
    return emoji;
  }
  const emoji = emojiByCode(act, code, kind ?? kindOf(act, name, code));
  if (name === undefined || name === emoji.emoji_name) return emoji;
  if (emoji.reaction_type !== 'unicode_emoji' || !builtInEmoji().names(code).includes(name)) {
    throw badRequest('Invalid emoji name.');
  }
  return {...emoji, emoji_name: name};
}

function emojiByName(
  {server}: Pick<ActionContext, 'server'>,
  name: string,
  kind: string | undefined,
): EmojiReference | undefined {
  const custom = server.db.value(
    'SELECT id FROM realm_emoji WHERE name = ? AND deactivated = 0 ORDER BY id DESC LIMIT 1',
    name,
  );
  if (custom !== undefined && (kind === undefined || kind === 'realm_emoji')) {
    return {emoji_name: name, emoji_code: String(custom), reaction_type: 'realm_emoji'};
  }
  if (name === extraEmoji && (kind === undefined || kind === 'extra_emoji')) {
    return {emoji_name: name, emoji_code: extraEmoji, reaction_type: 'extra_emoji'};
  }
  const code = builtInEmoji().code(name);
  if (code === undefined || (kind !== undefined && kind !== 'unicode_emoji')) return undefined;
  return {emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji'};
}

/** Returns the type of an emoji code that came without one: by the emoji's name if possible, else Unicode. */
function kindOf(act: Pick<ActionContext, 'server'>, name: string | undefined, code: string): string {
  const named = name === undefined ? undefined : emojiByName(act, name, undefined);
  return named?.emoji_code === code ? named.reaction_type : 'unicode_emoji';
}

function emojiByCode({server}: Pick<ActionContext, 'server'>, code: string, kind: string): EmojiReference {
  if (kind === 'unicode_emoji') {
    const name = builtInEmoji().name(code);
    if (name === undefined) throw badRequest('Invalid emoji code.');
    return {emoji_name: name, emoji_code: code, reaction_type: kind};
  }
  if (kind === 'extra_emoji') {
    if (code !== extraEmoji) throw badRequest('Invalid emoji code.');
    return {emoji_name: code, emoji_code: code, reaction_type: kind};
  }
  const custom = /^\d{1,15}$/.test(code)
    ? server.db.get<{name: string; deactivated: number}>(
        'SELECT name, deactivated FROM realm_emoji WHERE id = ?',
        Number(code),
      )
    : undefined;
  if (custom === undefined) throw badRequest('Invalid custom emoji.');
  if (custom.deactivated === 1) throw badRequest('This custom emoji has been deactivated.');
  return {emoji_name: custom.name, emoji_code: code, reaction_type: kind};
}

import {builtInEmoji} from '#content/emoji.ts';
import type {ActionContext} from '#server/context.ts';
import {badRequest} from '#server/http/errors.ts';
import {normalizedReactionType} from '#wire/objects/message.ts';

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

/** Returns the emoji that a request refers to; throws if it does not exist or is deactivated. */
export function resolveEmoji(act: Pick<ActionContext, 'server'>, request: EmojiRequest): EmojiReference {
  const emoji = requestedEmoji(act, request);
  checkEmoji(act, emoji);
  return emoji;
}

/** Completes a request by the emoji's name, without checking that code and type are those of an emoji. */
export function requestedEmoji(
  act: Pick<ActionContext, 'server'>,
  request: EmojiRequest,
  {isNameNeeded = false} = {},
): EmojiReference {
  const {emoji_name: name, emoji_code: code} = request;
  const type = request.reaction_type === undefined ? undefined : normalizedReactionType(request.reaction_type);
  if (name === undefined && code === undefined) {
    throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code');
  }
  if (code !== undefined && type !== undefined) return {emoji_name: name ?? '', emoji_code: code, reaction_type: type};
  const named = name === undefined ? undefined : emojiByName(act, name);
  if (named === undefined && (isNameNeeded || code === undefined)) throw badRequest(`Emoji '${name}' does not exist`);
  return {
    emoji_name: name ?? '',
    emoji_code: code ?? named?.emoji_code ?? '',
    reaction_type: type ?? named?.reaction_type ?? 'unicode_emoji',
  };
}

function emojiByName({server}: Pick<ActionContext, 'server'>, name: string): EmojiReference | undefined {
  const sql = 'SELECT id FROM realm_emoji WHERE name = ? AND deactivated = 0 ORDER BY id DESC LIMIT 1';
  const custom = server.db.value(sql, name);
  if (custom !== undefined) return {emoji_name: name, emoji_code: String(custom), reaction_type: 'realm_emoji'};
  if (name === extraEmoji) return {emoji_name: name, emoji_code: extraEmoji, reaction_type: 'extra_emoji'};
  const code = builtInEmoji().code(name);
  return code === undefined ? undefined : {emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji'};
}

/** Throws unless name, code and type are those of one emoji that is not deactivated. */
function checkEmoji({server}: Pick<ActionContext, 'server'>, emoji: EmojiReference): void {
  const {emoji_name: name, emoji_code: code, reaction_type: type} = emoji;
  if (type === 'realm_emoji') {
    const sql = 'SELECT name, deactivated FROM realm_emoji WHERE id = ?';
    const custom = /^\d{1,15}$/.test(code)
      ? server.db.get<{name: string; deactivated: number}>(sql, Number(code))
      : undefined;
    if (custom === undefined) throw badRequest('Invalid custom emoji.');
    if (custom.name !== name) throw badRequest('Invalid custom emoji name.');
    if (custom.deactivated === 1) throw badRequest('This custom emoji has been deactivated.');
    return;
  }
  if (type !== 'unicode_emoji' && type !== 'extra_emoji') throw badRequest('Invalid emoji type.');
  const isCode = type === 'extra_emoji' ? code === extraEmoji : builtInEmoji().name(code) !== undefined;
  if (!isCode) throw badRequest('Invalid emoji code.');
  const isName = type === 'extra_emoji' ? name === code : builtInEmoji().names(code).includes(name);
  if (!isName) throw badRequest('Invalid emoji name.');
}

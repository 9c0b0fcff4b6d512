import type {StatusRow} from '#server/db/user-status.ts';
import type {WireUserStatus} from '#wire/objects/user-status.ts';

/** Returns the parts of a status that are set; an empty object when none is. */
export function statusView(row: StatusRow): WireUserStatus {
  return {
    ...(row.status_text === '' ? {} : {status_text: row.status_text}),
    ...(row.emoji_name === ''
      ? {}
      : {emoji_name: row.emoji_name, emoji_code: row.emoji_code, reaction_type: row.reaction_type}),
    ...(row.away === 1 ? {away: true} : {}),
  };
}

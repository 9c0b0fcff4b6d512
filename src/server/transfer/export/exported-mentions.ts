import type {ServerContext} from '#server/context.ts';
import {fold} from '#server/db/rows.ts';
import {findUser} from '#server/db/users.ts';

/** A mention with the id of the user, which the other server replaces only in HTML. */
const numberedMention = /@(_?)\*\*([^*|\n]*)\|(\d{1,15})\*\*/g;

/**
 * Returns a text in which mentions have no ids, except those of people whose name others have too, and whether there are
 * such. `html` is the text's rendering, which says what is a mention.
 */
export function withoutIds(
  text: string,
  server: ServerContext,
  html: () => string,
): {readonly content: string; readonly hasIds: boolean} {
  let hasIds = false;
  const content = text.replace(numberedMention, (mention, silent, _name, id) => {
    const name = html().includes(`data-user-id="${id}"`) ? uniqueName(server, Number(id)) : undefined;
    if (name === undefined) hasIds = true;
    return name === undefined ? mention : `@${silent}**${name}**`;
  });
  return {content, hasIds};
}

/** Returns the name of a user if nobody else has it. */
function uniqueName({db}: ServerContext, userId: number): string | undefined {
  const name = findUser(db, userId)?.full_name;
  if (name === undefined) return undefined;
  return db.value('SELECT COUNT(*) FROM user WHERE name_key = ?', fold(name)) === 1 ? name : undefined;
}

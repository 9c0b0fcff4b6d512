import type {ActionContext, ServerContext} from '#server/context.ts';
import {compiledLinkifiers} from '#server/markdown-renderer.ts';
import {profileFieldTypes} from '#wire/objects/profile-field.ts';
import type {ProfileData, WireProfileValue} from '#wire/objects/user.ts';

type ValueRow = readonly [userId: number, fieldId: number, value: string, type: number];

/** Kinds of field whose values are Markdown. */
export function isRendered(type: number): boolean {
  return type === profileFieldTypes.shortText || type === profileFieldTypes.paragraph;
}

/** Letters, digits and spaces on one line: no Markdown in it, nothing to escape. */
const plainText = /^\p{L}(?:[\p{L}\p{N} ,-]*[\p{L}\p{N}])?$/u;

/**
 * Values of text fields as HTML. Fifty thousand of them have to fit into a registration: departments, towns and the
 * like repeat and are rendered once; most others are plain words, which only a linkifier could see anything in.
 */
function renderer({renderer: rendering, derivedFacts: memory}: ServerContext): (text: string) => string {
  const rendered = new Map<string, string>();
  const hasLinkifiers = memory.get(compiledLinkifiers).length > 0;
  return (text) => {
    if (!hasLinkifiers && plainText.test(text)) return `<p>${text}</p>`;
    let html = rendered.get(text);
    if (html === undefined) {
      html = rendering.descriptionHtml(text);
      rendered.set(text, html);
    }
    return html;
  };
}

/** Everybody's custom profile fields (or those of a few), by user; who filled in nothing is absent. */
export function profileDataByUser(
  {world}: Pick<ActionContext, 'world'>,
  userIds?: readonly number[],
): ReadonlyMap<number, ProfileData> {
  const chosen = userIds === undefined ? '' : 'WHERE v.user_id IN (SELECT value FROM json_each(?))';
  // One JSON text is several times faster to fetch than a hundred thousand rows.
  const text = world.db.value<string>(
    `SELECT json_group_array(json_array(v.user_id, v.field_id, v.value, f.type)) FROM profile_value AS v
     JOIN profile_field AS f ON f.id = v.field_id ${chosen}`,
    ...(userIds === undefined ? [] : [JSON.stringify(userIds)]),
  );
  const rows: readonly ValueRow[] = JSON.parse(text ?? '[]');
  const render = renderer(world);
  const byUser = new Map<number, Record<string, WireProfileValue>>();
  for (const [userId, fieldId, value, type] of rows) {
    let data = byUser.get(userId);
    if (data === undefined) {
      data = {};
      byUser.set(userId, data);
    }
    data[fieldId] = isRendered(type) ? {value, rendered_value: render(value)} : {value};
  }
  return byUser;
}

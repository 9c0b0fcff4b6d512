import {type NewIds, newUpload, rewriteNarrow} from './rewrite-text.ts';

/** HTML that names people, groups, channels or messages: rendered today, it could name others. */
const hasNames = /data-(?:user|user-group|stream)-id="|href="\/?#narrow\//;
/** Paths that only the server of the export answers. */
const foreignPath = /"\/?(?:external_content|static|avatar)\//;
/** The tags and attributes that messages have, without those that could run a script. */
const safeTag =
  /<\/?(?:a|audio|blockquote|br|code|del|div|em|h[1-6]|hr|img|li|ol|p|pre|span|strong|table|tbody|td|th|thead|time|tr|ul|video)(?: (?:class|title|alt|role|datetime|start|controls|preload|aria-[a-z]+|data-[a-z-]+)="[^"<>]*"| style="text-align: [a-z]+;"| (?:href|src)="(?:https?:\/\/|mailto:|\/(?!\/)|#|user_uploads\/)[^"<>]*")* ?\/?>/g;

const namedId = /data-(user|user-group|stream)-id="(\d{1,15})"/g;
const kinds = {user: 'user', 'user-group': 'group', stream: 'channel'} as const;
const narrow = /(?<=href="\/?)#narrow\/[^"]*/g;
const emoji = /(?<=src="\/user_avatars\/)\d+\/emoji\/images\/([^"/]+)/g;
const upload = /(?<=(?:href|src)=")\/?user_uploads\/(?:thumbnail\/([^"]*)\/[^"/]*|([^"]*))/g;

/**
 * Returns the HTML of a message with the ids and paths of this server. Undefined if this server's own rendering of the text
 * is as good or better: nothing is named, something unknown is, or there are tags that no message has.
 */
export function rewriteHtml(html: string, ids: NewIds): string | undefined {
  if (!hasNames.test(html) || foreignPath.test(html) || html.replace(safeTag, '').includes('<')) return undefined;
  let isKnown = true;
  const found = <T>(value: T | undefined): T | '' => {
    if (value === undefined) isKnown = false;
    return value ?? '';
  };
  const changed = html
    .replace(
      namedId,
      (_all, kind: keyof typeof kinds, id) => `data-${kind}-id="${found(ids[kinds[kind]](Number(id)))}"`,
    )
    .replace(narrow, (link) => rewriteNarrow(link, ids))
    .replace(emoji, (_all, file) => found(ids.emoji(file)))
    .replace(upload, (all, thumbnail, path) => {
      const file = newUpload(thumbnail ?? path, ids);
      return file === undefined ? all : `/user_uploads/${file}`;
    });
  return isKnown ? changed : undefined;
}

/** Whom the HTML of a message notifies, by the ids of the export. */
export interface HtmlMentions {
  readonly userIds: readonly number[];
  readonly channelWildcard: boolean;
  readonly topicWildcard: boolean;
}

export function htmlMentions(html: string): HtmlMentions {
  return {
    userIds: [...html.matchAll(/class="user-mention" data-user-id="(\d{1,15})"/g)].map(([, id]) => Number(id)),
    channelWildcard: /class="user-mention(?: channel-wildcard-mention)?" data-user-id="\*"/.test(html),
    topicWildcard: html.includes('class="topic-mention"'),
  };
}

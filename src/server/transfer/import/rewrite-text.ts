import {changeOutsideCode} from '#content/outside-code.ts';

/** Finds the new value of an old one; undefined if there is none. */
export interface NewIds {
  readonly user: (id: number) => number | undefined;
  readonly group: (id: number) => number | undefined;
  readonly channel: (id: number) => number | undefined;
  readonly message: (id: number) => number | undefined;
  /** By the path after `/user_uploads/`. */
  readonly upload: (path: string) => string | undefined;
  /** The path of a custom emoji after `/user_avatars/`, by the name of its file. */
  readonly emoji: (file: string) => string | undefined;
  /** Returns whether the organization had its address at this host; `html` is the rendering of the text with the link. */
  readonly isOwnHost: (host: string, html: string | undefined) => boolean;
}

/**
 * The hosts at which the organization had its address. An export does not name them, but a Zulip server renders links to
 * its own organization without their host.
 */
export class OwnHosts {
  readonly #hosts = new Set<string>();

  readonly has = (host: string, html: string | undefined): boolean => {
    if (html?.includes('#narrow/')) {
      const lower = html.toLowerCase();
      const addresses = [`http://${host}`, `https://${host}`].flatMap((one) => [`${one}/#narrow/`, `${one}#narrow/`]);
      if (addresses.some((address) => lower.includes(`href="${address}`))) return false;
      if (/href="\/?#narrow\//.test(html)) this.#hosts.add(host);
    }
    return this.#hosts.has(host);
  };
}

const mention = /(@_?\*\*[^*\n]{1,120}\|)(\d{1,15})(\*\*)/g;
const messageLink = /(#\*\*[^*\n]{1,200}@)(\d{1,15})(\*\*)/g;
const narrowLink = /(?<![^\s()<>[\]"'`])(<?)([^\s()<>[\]"'`#]*)(#narrow\/[^\s)\]>"'`]+)(>?)/g;
const uploadLink = /(?:https?:\/\/[^\s/()[\]]+)?\/user_uploads\/([^\s)\]>"'`]+)/g;

/**
 * Replaces the ids of users, channels and messages and the paths of files in a text, but not in code. What is unknown
 * stays, and so do links to other organizations; links to this one become relative. `html` is the text's rendering.
 */
export function rewriteText(text: string, ids: NewIds, html?: string): string {
  // Most messages contain none of these.
  if (!text.includes('#') && !text.includes('|') && !text.includes('/user_uploads/')) return text;
  return changeOutsideCode(text, (part) =>
    part
      .replace(mention, (all, before, id, after) => replaced(all, before, ids.user(Number(id)), after))
      .replace(messageLink, (all, before, id, after) => replaced(all, before, ids.message(Number(id)), after))
      .replace(narrowLink, (...found) => rewriteLink(found, ids, html))
      .replace(uploadLink, (all, path) => {
        const found = newUpload(path, ids);
        return found === undefined ? all : `/user_uploads/${found}`;
      }),
  );
}

function replaced(all: string, before: string, id: number | undefined, after: string): string {
  return id === undefined ? all : `${before}${id}${after}`;
}

/** Returns the new path of an uploaded file. */
function newUpload(path: string, ids: NewIds): string | undefined {
  return ids.upload(path) ?? ids.upload(decoded(path));
}

const linkedHost = /^(?:https?:\/\/([^\s/?#]+)\/?|([\w-]+(?:\.[\w-]+)+(?::\d+)?)\/)$/i;

/** `found` is what a replacer gets: the match with its groups, the offset, the text. */
function rewriteLink(found: readonly unknown[], ids: NewIds, html: string | undefined): string {
  const [all = '', open = '', address = '', fragment = '', close = '', offset, text] = found as string[];
  if (address === '' || address === '/') return `${open}${address}${rewriteNarrow(fragment, ids)}${close}`;
  const [, whole, bare] = linkedHost.exec(address) ?? [];
  const host = (whole ?? bare)?.toLowerCase();
  if (host === undefined || !ids.isOwnHost(host, html)) return all;
  const before = (text ?? '').slice(0, Number(offset));
  if (/\]\(\s*$/.test(before)) return `${open}${rewriteNarrow(fragment, ids)}${close}`;
  // In the text of a link.
  if (before.lastIndexOf('[') > before.lastIndexOf(']')) return all;
  // Without brackets only whole addresses are links.
  const [end = ''] = /[.,;:!?]*$/.exec(fragment) ?? [];
  const link = rewriteNarrow(fragment.slice(0, fragment.length - end.length), ids);
  return `[${link}](${link})${end}`;
}

const idOperands: Readonly<Record<string, keyof Pick<NewIds, 'user' | 'channel' | 'message'>>> = {
  channel: 'channel',
  stream: 'channel',
  dm: 'user',
  'pm-with': 'user',
  'dm-including': 'user',
  'group-pm-with': 'user',
  sender: 'user',
  near: 'message',
  with: 'message',
  id: 'message',
};

/** Replaces the ids in the address of a view, such as `narrow/channel/84-rows/near/2520`. */
export function rewriteNarrow(fragment: string, ids: NewIds): string {
  const parts = fragment.split('/');
  for (let at = 1; at + 1 < parts.length; at += 2) {
    const kind = idOperands[parts[at]?.replace(/^-/, '') ?? ''];
    if (kind === undefined) continue;
    parts[at + 1] = (parts[at + 1] ?? '').replace(/^\d{1,15}(?:,\d{1,15})*/, (list) =>
      list
        .split(',')
        .map((id) => ids[kind](Number(id)) ?? id)
        .join(','),
    );
  }
  return parts.join('/');
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

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

/** Returns whom the HTML of a message notifies, by the ids of the export. */
export function htmlMentions(html: string) {
  return {
    userIds: [...html.matchAll(/class="user-mention" data-user-id="(\d{1,15})"/g)].map(([, id]) => Number(id)),
    channelWildcard: /class="user-mention(?: channel-wildcard-mention)?" data-user-id="\*"/.test(html),
    topicWildcard: html.includes('class="topic-mention"'),
  };
}

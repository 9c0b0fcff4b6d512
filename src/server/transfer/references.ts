import {encodeNarrowOperand} from '#content/narrow-link.ts';
import {changeOutsideCode} from '#content/outside-code.ts';
import {unresolvedName} from '#server/markdown-renderer.ts';
import {isRendered} from '#server/views/users.ts';
import {isRecord, parsedJson} from '#std/parse-json.ts';
import {profileFieldTypes} from '#wire/objects/user.ts';

/** Returns the name of the table that has the rows of a table with their own ids. */
export function originalTable(table: string): string {
  return `parley_${table.replace(/^zerver_/, '')}`;
}

/** What became of a reference that has no new id. */
export type Loss = 'link' | 'message' | 'mention' | 'emoji';

/** Finds the new value of an old one; undefined if there is none. */
export interface NewIds {
  readonly user: (id: number) => number | undefined;
  readonly group: (id: number) => number | undefined;
  /** The new id, or the name of a channel that is linked by its name. */
  readonly channel: (id: number) => number | string | undefined;
  readonly message: (id: number) => number | undefined;
  /** By the path after `/user_uploads/`. */
  readonly upload: (path: string) => string | undefined;
  /** The path of a custom emoji after `/user_avatars/`, by the name of its file. */
  readonly emoji: (file: string) => string | undefined;
  /** Returns whether the organization had its address at this host; `html` is the rendering of the text with the link. */
  readonly isOwnHost: (host: string, html: string | undefined) => boolean;
  /** The path at the start of all addresses of the organization, such as `/chat`. */
  readonly basePath?: string;
  /** The terms of the topic that a message without a new id is in today: `/channel/rows/topic/soup`. */
  readonly topicOf?: (message: number) => string | undefined;
  /** Whether the name alone mentions a user without a new id. */
  readonly isUniqueName?: (user: number, name: string) => boolean;
  readonly onLoss?: (loss: Loss) => void;
}

/**
 * The hosts at which the organization had its address. An export does not name them, but a Zulip server renders links to
 * its own organization without their host.
 */
export class OwnHosts {
  readonly #hosts: Set<string>;

  constructor(...known: readonly string[]) {
    this.#hosts = new Set(known);
  }

  readonly has = (host: string, html: string | undefined): boolean => {
    if (!this.#hosts.has(host) && html?.includes('#narrow/')) {
      const lower = html.toLowerCase();
      const addresses = [`http://${host}`, `https://${host}`].flatMap((one) => [`${one}/#narrow/`, `${one}#narrow/`]);
      if (addresses.some((address) => lower.includes(`href="${address}`))) return false;
      if (/href="\/?#narrow\//.test(html)) this.#hosts.add(host);
    }
    return this.#hosts.has(host);
  };
}

const idOperands: Readonly<Record<string, 'user' | 'channel' | 'message'>> = {
  channel: 'channel',
  stream: 'channel',
  dm: 'user',
  'pm-with': 'user',
  'dm-including': 'user',
  'group-pm-with': 'user',
  sender: 'user',
  from: 'user',
  mentions: 'user',
  near: 'message',
  with: 'message',
  id: 'message',
};

/** The pages whose address has an id after their name. */
const idPages: Readonly<Record<string, 'user' | 'group' | 'channel'>> = {
  user: 'user',
  groups: 'group',
  channels: 'channel',
  streams: 'channel',
};

/**
 * Returns the fragment of an address, such as `narrow/channel/84-rows/near/2520` or `#user/12`, with new ids; undefined if
 * one of them has none. Instead of a message that has none, the address leads to its topic.
 */
export function rewriteView(fragment: string, ids: NewIds): string | undefined {
  const [start = '', ...parts] = fragment.split('/');
  const page = idPages[start.replace(/^#/, '')];
  if (page !== undefined && /^\d{1,15}$/.test(parts[0] ?? '')) {
    const id = ids[page](Number(parts[0]));
    return typeof id === 'number' ? [start, id, ...parts.slice(1)].join('/') : undefined;
  }
  if (!/^#?narrow$/.test(start)) return fragment;
  let view = start;
  let hasOtherTerms = false;
  let lost: number | undefined;
  for (let at = 0; at < parts.length; at += 2) {
    const [operator = '', operand = ''] = [parts[at], parts[at + 1]];
    const kind = idOperands[operator.replace(/^-/, '')];
    const [list] = (kind && /^\d{1,15}(?:,\d{1,15})*(?=-|$)/.exec(operand)) ?? [];
    if (kind === 'message' && list !== undefined && ids.message(Number(list)) === undefined) {
      lost = Number(list);
      // A topic is found without its message.
      if (operator !== 'with') ids.onLoss?.('message');
      continue;
    }
    hasOtherTerms ||= !/^(?:channel|stream|topic|subject)$/.test(operator);
    const found = kind && list?.split(',').map((id) => ids[kind](Number(id)));
    if (found?.includes(undefined)) return undefined;
    view += `/${operator}`;
    if (typeof found?.[0] === 'string') view += `/${encodeNarrowOperand(found[0])}`;
    else if (at + 1 < parts.length) view += `/${found?.join() ?? ''}${operand.slice(list?.length ?? 0)}`;
  }
  if (lost === undefined) return view;
  const topic = hasOtherTerms ? undefined : ids.topicOf?.(lost);
  if (topic !== undefined) return start + topic;
  return view === start ? undefined : view;
}

const mention = /@(_?)\*\*([^*\n]{0,120})\|(\d{1,15})\*\*/g;
const messageLink = /(#\*\*[^*\n>]{1,100}>[^*\n]{0,200})@(\d{1,15})(\*\*)/g;
/** What may be an address: a host with what follows it, or what follows the own host. */
const address =
  /(?<![^\s()<>[\]"'`])(<?)(?:(https?:\/\/[^\s/?#()<>[\]"'`]+|[\w-]+(?:\.[\w-]+)+(?::\d+)?(?=[/#]))([/#][^\s)\]>"'`]*)?|(\/?(?:#|user_uploads\/)[^\s)\]>"'`]*))(>?)/gi;
const mayRefer = /[#|]|user_uploads\/|:\/\/|\.[\w-]+(?::\d+)?\//i;
/** Stands for the address of a link that becomes text. */
const nowhere = '\0';
const textLink = /!?\[((?:[^[\]]|\[[^[\]]*\])*)\]\(\s*<?\0>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)/g;

/**
 * Replaces the ids of users, groups, channels and messages and the paths of files in a text, but not in code. Links to
 * other organizations stay; links to this one become relative. What has no new id becomes text, or a link to the topic,
 * so that it never leads to something else. `html` is the text's rendering.
 */
export function rewriteText(text: string, ids: NewIds, html?: string): string {
  if (!mayRefer.test(text)) return text;
  return changeOutsideCode(text, (part) => {
    const changed = part
      .replace(mention, (_all, silent, name, id) => rewriteMention(silent, name, Number(id), ids))
      .replace(messageLink, (_all, link, id, end) => {
        const found = ids.message(Number(id));
        if (found === undefined) ids.onLoss?.('message');
        return link + (found === undefined ? '' : `@${found}`) + end;
      })
      .replace(address, (...found) => rewriteAddress(found, ids, html));
    if (!changed.includes(nowhere)) return changed;
    // The text of such a link may be its address.
    const others = uncounted(ids);
    return changed
      .replace(textLink, (_all, label: string) =>
        label.replace(address, (...found) => rewriteAddress(found, others, html)),
      )
      .replaceAll(nowhere, '');
  });
}

function rewriteMention(silent: string, name: string, id: number, ids: NewIds): string {
  const found = ids.user(id);
  if (found !== undefined) return `@${silent}**${name}|${found}**`;
  if (ids.isUniqueName?.(id, name)) return `@${silent}**${name}**`;
  ids.onLoss?.('mention');
  return `@${name}`;
}

function uncounted({onLoss, ...ids}: NewIds): NewIds {
  return ids;
}

/** The texts of links are shorter. */
const maxLabelLength = 1000;

/** `found` is what a replacer gets: the match with its groups, the offset, the text. */
function rewriteAddress(found: readonly unknown[], ids: NewIds, html: string | undefined): string {
  const [all = '', open = '', site = '', after, own, close = '', offset, text] = found as string[];
  const rest = after ?? own ?? '';
  // Not all of it, because a text may have thousands of addresses.
  const before = (text ?? '').slice(Math.max(0, Number(offset) - maxLabelLength), Number(offset));
  const isTarget = /\]\(\s*$/.test(before);
  // Without brackets, punctuation at the end is not part of it.
  const [end = ''] = isTarget ? [] : (/[.,;:!?]*$/.exec(rest) ?? []);
  const path = rest.slice(0, rest.length - end.length);
  const ownAddress = ownPath(site, path, ids, html);
  if (ownAddress === undefined) return all;
  // A relative address is a link only in brackets.
  const isLink = isTarget || site !== '';
  const link = newAddress(site, ownAddress, isLink ? ids : uncounted(ids));
  if (link === undefined && isLink) ids.onLoss?.('link');
  if (isTarget) return link === undefined ? nowhere : `${open}${link}${close}`;
  if (!isLink) return link === undefined ? all : `${open}${link}${end}${close}`;
  // In the text of a link.
  if (before.lastIndexOf('[') > before.lastIndexOf(']')) return all;
  if (link === undefined) return ownAddress.replace(/^\//, '') + end;
  return `[${link === '/' ? site : link}](${link})${end}`;
}

/** Returns what follows the address of the organization; undefined if the address is another's. */
function ownPath(site: string, path: string, ids: NewIds, html: string | undefined): string | undefined {
  if (site === '') return path;
  const host = site.replace(/^https?:\/\//i, '').toLowerCase();
  const [, upload] = uploadAddress.exec(path) ?? [];
  if (upload !== undefined && newUpload(upload, ids) !== undefined) return path;
  const {basePath = ''} = ids;
  const isOwn = path.startsWith(basePath) && ids.isOwnHost(host, /^\/?#narrow\//.test(path) ? html : undefined);
  return isOwn ? path.slice(basePath.length) : undefined;
}

const uploadAddress = /^\/?user_uploads\/(.+)$/s;

/** Returns an address of the organization without its host, with new ids and paths; undefined if one has no new id. */
function newAddress(site: string, path: string, ids: NewIds): string | undefined {
  const [, slash = '', fragment] = /^(\/?)(#.*)$/s.exec(path) ?? [];
  if (fragment !== undefined) {
    const view = rewriteView(fragment, ids);
    return view === undefined ? undefined : (site === '' ? slash : '') + view;
  }
  const [, upload] = uploadAddress.exec(path) ?? [];
  const file = upload === undefined ? undefined : newUpload(upload, ids);
  return file === undefined ? path || '/' : `/user_uploads/${file}`;
}

/** Returns the new path of an uploaded file. */
function newUpload(path: string, ids: NewIds): string | undefined {
  return ids.upload(path) ?? ids.upload(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** Returns an address that has to keep its host with new ids; the page of the host if there are none. */
function rewriteUrl(url: string, ids: NewIds): string {
  const [, site = '', path = ''] = /^(https?:\/\/[^/?#]+)(.*)$/is.exec(url) ?? [];
  const ownAddress = site === '' ? undefined : ownPath(site, path, ids, undefined);
  if (ownAddress === undefined) return url;
  return site + (ids.basePath ?? '') + (newAddress(site, ownAddress, ids) ?? '').replace(/^(?=#)/, '/');
}

/** Returns what somebody wrote in a profile field of this type with new ids. */
export function rewriteProfileValue(text: string, type: number | undefined, ids: NewIds): string {
  if (type === profileFieldTypes.url) return rewriteUrl(text, ids);
  return type === undefined || !isRendered(type) ? text : rewriteText(text, ids);
}

/** Where the key in the data of a widget has the id of whoever added the option or task. */
const keyedUsers: Readonly<Record<string, RegExp>> = {vote: /^\d+(?=,\d+$)/, strike: /(?<=^\d+,)\d+$/};

/** Returns what was done to a poll or a to-do list with new ids; undefined if it was done to something that is not there. */
export function rewriteSubmessage(content: string, ids: NewIds): string | undefined {
  const parsed = content.includes('"key"') ? parsedJson(content) : undefined;
  const data = isRecord(parsed) ? parsed : {};
  const {type, key} = data;
  const pattern = keyedUsers[String(type)];
  const [old] = pattern?.exec(String(key)) ?? [];
  if (pattern === undefined || old === undefined) return content;
  const user = ids.user(Number(old));
  return user === undefined ? undefined : JSON.stringify({...data, key: String(key).replace(pattern, `${user}`)});
}

const mentionTag = /<span ([^>]*)data-(user|user-group)-id="(\d{1,15})"([^>]*)>([^<]*)<\/span>/g;
const mentionKinds = {user: 'user', 'user-group': 'group'} as const;
const linkTag = /<a ([^>]*)>((?:(?!<\/?a[ >]).)*)<\/a>/gs;
const emojiTag = /<img alt="([^"]*)"[^>]*? src="\/user_avatars\/\d+\/emoji\/images\/([^"/]+)"[^>]*>/g;
const upload = /(?<=(?:href|src|data-original-src)=")\/?user_uploads\/(?:thumbnail\/([^"]*)\/[^"/]*|([^"]*))/g;

/**
 * Returns HTML with new ids and paths. What has none becomes text. With `isRenumbered` the ids of mentions and of links to
 * channels stay: the importer of Zulip's servers replaces these itself.
 */
export function rewriteHtml(html: string, ids: NewIds, isRenumbered = false): string {
  const withMentions = isRenumbered
    ? html
    : html.replace(mentionTag, (_all, before, kind: keyof typeof mentionKinds, old, after, name) => {
        const id = ids[mentionKinds[kind]](Number(old));
        return id === undefined ? name : `<span ${before}data-${kind}-id="${id}"${after}>${name}</span>`;
      });
  return withMentions
    .replace(linkTag, (_all, attributes, inner) => {
      const tag = rewriteLinkTag(attributes, ids, html, isRenumbered);
      return tag === undefined ? inner : `<a ${tag}>${inner}</a>`;
    })
    .replace(emojiTag, (all, name, file) => {
      const path = ids.emoji(file);
      if (path === undefined) ids.onLoss?.('emoji');
      return path === undefined ? name : all.replace(/(?<=\/user_avatars\/)[^"]*/, path);
    })
    .replace(upload, (all, thumbnail, path) => {
      const file = newUpload(thumbnail ?? path, ids);
      return file === undefined ? all : `/user_uploads/${file}`;
    });
}

/** Returns the attributes of a link with new ids; undefined if it leads nowhere. */
function rewriteLinkTag(attributes: string, ids: NewIds, html: string, isRenumbered: boolean): string | undefined {
  const [, href = '', site = '', path = ''] = /href="((https?:\/\/[^/?#"]+)?([^"]*))"/i.exec(attributes) ?? [];
  const ownAddress = site !== '' || /^\/?#/.test(path) ? ownPath(site, path, ids, html) : undefined;
  const link = ownAddress === undefined ? href : newAddress(site, ownAddress, ids);
  if (link === undefined) ids.onLoss?.('link');
  if (link === undefined) return undefined;
  const linked = attributes.replace(`href="${href}"`, () => `href="${link}"`);
  const [, old] = /data-stream-id="(\d{1,15})"/.exec(linked) ?? [];
  if (old === undefined || (isRenumbered && /class="stream"/.test(linked))) return linked;
  const id = ids.channel(Number(old));
  if (typeof id === 'number') return linked.replace(/(?<=data-stream-id=")\d+/, String(id));
  return id === undefined ? undefined : linked.replace(/(?:class|data-stream-id)="[^"]*" ?/g, '');
}

/** HTML that names something: rendered today, it could name something else. */
const named = /data-(?:user|user-group|stream)-id="|href="\/?#narrow\//;
/** Paths that only the server of the export answers. */
const foreignPath = /"\/?(?:external_content|static|avatar)\//;
/** The tags and attributes that messages have, without those that could run a script. */
const safeTag =
  /<\/?(?:a|audio|blockquote|br|code|del|div|em|h[1-6]|hr|img|li|ol|p|pre|span|strong|table|tbody|td|th|thead|time|tr|ul|video)(?: (?:class|title|alt|role|datetime|start|controls|preload|aria-[a-z]+|data-[a-z-]+)="[^"<>]*"| style="text-align: [a-z]+;"| (?:href|src)="(?:https?:\/\/|mailto:|\/(?!\/)|#|user_uploads\/)[^"<>]*")* ?\/?>/g;

/**
 * Returns the HTML of a message with the ids and paths of this server. Undefined if this server's own rendering of the text
 * is as good or better: no name decides about it, or there are tags that no message has.
 */
export function importedHtml(html: string, ids: NewIds): string | undefined {
  const dependsOnNames = named.test(html) || unresolvedName.test(html);
  if (!dependsOnNames || foreignPath.test(html) || html.replace(safeTag, '').includes('<')) return undefined;
  return rewriteHtml(html, ids);
}

/** Returns whom the HTML of a message notifies, by the ids of the export. */
export function htmlMentions(html: string) {
  return {
    userIds: [...html.matchAll(/class="user-mention" data-user-id="(\d{1,15})"/g)].map(([, id]) => Number(id)),
    channelWildcard: /class="user-mention(?: channel-wildcard-mention)?" data-user-id="\*"/.test(html),
    topicWildcard: html.includes('class="topic-mention"'),
  };
}

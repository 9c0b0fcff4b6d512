/** Finds the new value of an old one; undefined if there is none. */
export interface NewIds {
  readonly user: (id: number) => number | undefined;
  readonly channel: (id: number) => number | undefined;
  readonly message: (id: number) => number | undefined;
  /** By the path after `/user_uploads/`. */
  readonly upload: (path: string) => string | undefined;
}

const mention = /(@_?\*\*[^*\n]{1,120}\|)(\d{1,15})(\*\*)/g;
const messageLink = /(#\*\*[^*\n]{1,200}@)(\d{1,15})(\*\*)/g;
const narrowLink = /#narrow\/[^\s)\]>"'`]+/g;
const uploadLink = /(?:https?:\/\/[^\s/()[\]]+)?\/user_uploads\/([^\s)\]>"'`]+)/g;

/** Replaces the ids of users, channels and messages and the paths of files in a text. What is unknown stays. */
export function rewriteText(text: string, ids: NewIds): string {
  // Most messages contain none of these.
  if (!text.includes('#') && !text.includes('|') && !text.includes('/user_uploads/')) return text;
  return text
    .replace(mention, (all, before, id, after) => replaced(all, before, ids.user(Number(id)), after))
    .replace(messageLink, (all, before, id, after) => replaced(all, before, ids.message(Number(id)), after))
    .replace(narrowLink, (link) => rewriteNarrow(link, ids))
    .replace(uploadLink, (all, path) => {
      const found = ids.upload(path) ?? ids.upload(decoded(path));
      return found === undefined ? all : `/user_uploads/${found}`;
    });
}

function replaced(all: string, before: string, id: number | undefined, after: string): string {
  return id === undefined ? all : `${before}${id}${after}`;
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

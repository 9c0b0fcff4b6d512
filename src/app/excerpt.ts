import {parseMessage} from '#content/parse.ts';
import {plainText} from '#content/text.ts';
import type {MessageToken} from '#content/tokens.ts';
import {Lru} from '#std/lru.ts';

/** More than any row shows; the rest is not read for it. */
const mostCharacters = 600;
const known = new Lru<string, string>(500);

/** What a message says, without markup and on one line. What a spoiler hides stays hidden. */
export function excerpt(content: string): string {
  const start = content.slice(0, mostCharacters);
  let text = known.get(start);
  if (text === undefined) {
    text = plainText(parseMessage(start).map(closed)).replaceAll(/\s+/g, ' ').trim();
    known.set(start, text);
  }
  return text;
}

function closed(token: MessageToken): MessageToken {
  if (token.type === 'spoiler') return {...token, children: []};
  return token.type === 'quote' ? {...token, children: token.children.map(closed)} : token;
}

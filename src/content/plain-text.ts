import {emojiCharacters} from './emoji.ts';
import {groupTitle} from './group-title.ts';
import type {InlineToken, MessageToken} from './tokens.ts';

/** Returns the text of a message without styling, for alert words, notifications and previews. */
export function plainText(tokens: readonly MessageToken[]): string {
  return tokens.map(blockText).join('\n');
}

function blockText(token: MessageToken): string {
  switch (token.type) {
    case 'paragraph':
    case 'tight_text':
    case 'heading':
      return inlineText(token.children);
    case 'rule':
      return '';
    case 'code_block':
      return token.text;
    case 'math_block':
      return token.tex;
    case 'quote':
      return plainText(token.children);
    case 'spoiler':
      return `${plainText(token.header)}\n${plainText(token.children)}`;
    case 'list':
      return token.items.map((item) => plainText(item.children)).join('\n');
    case 'table':
      return [token.header, ...token.rows].map((row) => row.map(inlineText).join(' ')).join('\n');
  }
}

export function inlineText(tokens: readonly InlineToken[]): string {
  return tokens.map(tokenText).join('');
}

function tokenText(token: InlineToken): string {
  switch (token.type) {
    case 'text':
    case 'entity':
    case 'code_span':
    case 'time':
      return token.text;
    case 'line_break':
      return '\n';
    case 'strong':
    case 'emphasis':
    case 'strike':
    case 'link':
      return inlineText(token.children);
    case 'math':
      return token.tex;
    case 'user_mention':
    case 'group_mention':
    case 'wildcard_mention': {
      const name = token.type === 'group_mention' ? groupTitle(token.name) : token.name;
      return token.silent ? name : `@${name}`;
    }
    case 'channel_link':
      return channelLinkText(
        token.channel,
        token.shownTopic ? inlineText(token.shownTopic) : token.topic,
        token.messageId,
      );
    case 'emoji':
      return (token.kind === 'unicode' ? emojiCharacters(token.code) : undefined) ?? `:${token.name}:`;
    case 'image':
    case 'audio':
      return token.alt;
  }
}

function channelLinkText(channel: string, topic: string | undefined, messageId: number | undefined): string {
  if (topic === undefined) return `#${channel}`;
  return `#${channel} > ${topic}${messageId === undefined ? '' : ' @ 💬'}`;
}

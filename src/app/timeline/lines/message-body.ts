import type {BodyOptions, MessageBody} from '#app/timeline/message-row.ts';
import {renderMessage} from '#content/render/render-message.ts';
import type {Line} from '#content/styled-text/line.ts';
import {matchedWords} from '#content/word-finder.ts';
import type {Message} from '#state/model/message.ts';
import type {Typeset} from './typeset.ts';

/** Costs the rendering once; afterwards a look, for as long as the message and the wish are the same. */
export function messageBody(typeset: Typeset, message: Message, wish: BodyOptions): MessageBody {
  const known = typeset.bodies.get(message);
  if (known !== undefined && isSame(known, wish)) return known;
  const body = newBody(typeset, message, wish);
  typeset.bodies.set(message, body);
  return body;
}

function isSame({bodyOptions: before, hasCode}: MessageBody, wish: BodyOptions): boolean {
  return (
    before.isExpanded === wish.isExpanded &&
    before.isWhole === wish.isWhole &&
    before.isHidden === wish.isHidden &&
    before.isCollapsed === wish.isCollapsed &&
    before.senderName === wish.senderName &&
    before.match === wish.match &&
    (!hasCode || before.highlight === wish.highlight)
  );
}

function newBody(typeset: Typeset, message: Message, wish: BodyOptions): MessageBody {
  const empty = {hyperlinks: undefined, bodyOptions: wish, hasCode: false};
  if (wish.isHidden) return {...empty, lines: [note(typeset, 'Hidden: you muted who wrote this (-)')]};
  if (wish.isCollapsed) return {...empty, lines: [note(typeset, `${typeset.glyphs.ellipsis} collapsed (-)`)]};
  return renderedBody(typeset, message, wish);
}

function renderedBody(typeset: Typeset, message: Message, wish: BodyOptions): MessageBody {
  const {context, options, measures} = typeset;
  let hasCode = false;
  const {lines, links} = renderMessage(
    {
      source: message.content,
      senderName: wish.senderName,
      senderId: message.senderId,
      submessages: message.submessages,
    },
    context,
    {
      ...options,
      expanded: wish.isExpanded,
      matches: wish.match === undefined ? [] : matchedWords(wish.match),
      highlight: (language, code) => {
        hasCode = true;
        return wish.highlight?.(language, code);
      },
    },
  );
  const realmUrl = context.realmUrl === undefined ? {} : {realmUrl: context.realmUrl};
  return {
    lines: wish.isExpanded || wish.isWhole ? lines : cut(typeset, lines, measures.maxLines),
    hyperlinks: links.length === 0 ? undefined : {links, id: `m${message.id}`, ...realmUrl},
    bodyOptions: wish,
    hasCode,
  };
}

/** Nothing is cut for the sake of a line or two. */
const leastCut = 3;

function cut(typeset: Typeset, lines: readonly Line[], most: number): readonly Line[] {
  if (lines.length <= most + leastCut) return lines;
  const text = `${typeset.glyphs.ellipsis} ${lines.length - most} more lines (-)`;
  return [...lines.slice(0, most), note(typeset, text)];
}

function note({measures}: Typeset, text: string): Line {
  const shown = text.slice(0, measures.textWidth);
  return {spans: [{text: shown, role: 'note'}], width: shown.length};
}

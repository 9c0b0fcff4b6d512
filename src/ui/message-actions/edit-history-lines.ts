import {sanitizeText} from '#content/styled-text/sanitize-text.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import type {MessageEditHistory} from '#state/fetches/queries.ts';
import {channelName, topicDisplayName, userName} from '#state/selectors/names/names.ts';
import {composed} from '#std/composed-text.ts';
import {type DiffLine, textDiff} from '#std/text-diff.ts';
import type {UiRole} from '#theme/roles.ts';
import type {Frame} from '#ui/core/frame.ts';
import {blankLine, fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {paragraph, wrappedLines} from '#ui/overlays/card-lines.ts';
import {isResolution, isResolvedTopic} from '#wire/objects/channel.ts';
import {momentText} from '#wording/moment-text.ts';
import {plainGlyphText} from '#wording/ui-glyphs.ts';

type MessageVersion = MessageEditHistory[number];

/** Returns the lines of a message's edit history, latest change first, ending with the message as sent. */
export function editHistoryLines(frame: Frame, width: number, history: MessageEditHistory): readonly UiLine[] {
  const [sent] = history;
  if (sent === undefined) return paragraph('No edit history is available.', 'dim', width);
  const changes = history.slice(1).toReversed();
  return [
    ...changes.flatMap((version) => [...changeLines(frame, width, version), blankLine]),
    ...headLines(frame, width, sent, 'sent'),
    ...paragraph(sent.content, 'text', width),
  ];
}

function changeLines(frame: Frame, width: number, version: MessageVersion): readonly UiLine[] {
  const before = version.prev_content;
  const isEdited = before !== undefined && before !== version.content;
  const moved = moveText(frame, version);
  const changes = [...(isEdited ? ['edited'] : []), ...(moved === undefined ? [] : [moved])];
  return [
    ...headLines(frame, width, version, changes.length === 0 ? 'changed' : changes.join(', ')),
    ...(isEdited ? diffLines(textDiff(before, version.content), width, frame) : []),
  ];
}

function headLines(
  frame: Frame,
  width: number,
  {timestamp, user_id: userId}: MessageVersion,
  what: string,
): readonly UiLine[] {
  const who = userId === null ? 'Someone' : userName(frame.account, userId);
  const when = plainGlyphText(momentText(frame, timestamp * 1000), frame.display);
  const spans: readonly UiSpan[] = [
    {text: who, role: 'sender', bold: true},
    {text: ` ${what}  `, role: 'text'},
    {text: when, role: 'time_stamp'},
  ];
  return wrappedLines(spans, width);
}

/** Describes the move of this version; undefined when the message stayed. */
function moveText({account, display}: Frame, version: MessageVersion): string | undefined {
  const {topic, prev_topic: before, prev_stream: from, stream: to} = version;
  const isOtherChannel = from !== undefined && to !== undefined && from !== to;
  const isOtherTopic = before !== undefined && before !== topic;
  if (!isOtherChannel && !isOtherTopic) return undefined;
  if (!isOtherChannel && before !== undefined && isResolution(before, topic)) {
    return isResolvedTopic(topic) ? 'marked the topic as resolved' : 'unresolved the topic';
  }
  const location = (channelId: number | undefined, name: string) =>
    isOtherChannel && channelId !== undefined
      ? composed`#${channelName(account, channelId)} › ${topicDisplayName(account, name)}`
      : composed`“${topicDisplayName(account, name)}”`;
  return plainGlyphText(`moved it from ${location(from, before ?? topic)} to ${location(to, topic)}`, display);
}

/** The number of unchanged lines shown around a change. */
const contextLines = 1;

export function diffLines(
  diff: readonly DiffLine[],
  width: number,
  {display}: Pick<Frame, 'display'>,
): readonly UiLine[] {
  const isNear = diff.map((_, at) =>
    diff.slice(Math.max(0, at - contextLines), at + contextLines + 1).some(({kind}) => kind !== 'same'),
  );
  const lines: UiLine[] = [];
  for (let at = 0; at < diff.length; at++) {
    const line = diff[at];
    if (line === undefined) continue;
    if (isNear[at] === true) {
      lines.push(...diffLine(line, width));
      continue;
    }
    let end = at;
    while (end < diff.length && isNear[end] === false) end++;
    const count = end - at;
    const text = `… ${count === 1 ? '1 unchanged line' : `${count} unchanged lines`}`;
    lines.push(fittedLine([{text: plainGlyphText(text, display), role: 'note'}], width));
    at = end - 1;
  }
  return lines;
}

const signs = {same: '  ', removed: '- ', added: '+ '} as const;

const rolesOf: Readonly<Record<DiffLine['kind'], UiRole>> = {
  same: 'dim',
  removed: 'code_removed',
  added: 'code_added',
};

/** A diff line: the sign in front names the version, and the changed parts are highlighted. */
function diffLine({kind, parts}: DiffLine, width: number): readonly UiLine[] {
  const role = rolesOf[kind];
  const isPart = parts.some(({isChanged}) => !isChanged);
  const spans = parts.map(({text, isChanged}): UiSpan => {
    const shown = sanitizeText(text);
    if (!isChanged) return {text: shown, role: kind === 'same' ? 'dim' : 'text'};
    return isPart ? {text: shown, role, bold: true} : {text: shown, role};
  });
  const first: UiSpan[] = [{text: signs[kind], role}];
  return wrapSpans<UiRole>(spans, {width, first, rest: [{text: '  ', role: 'text'}]});
}

import type {PaneLine} from '#app/core/pane-line.ts';
import type {UiLine, UiSpan} from '#app/layout/ui-line.ts';
import {fittedLine} from '#app/layout/ui-line.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {wrapSpans} from '#content/styled-text/wrap.ts';
import {clockText} from '#content/time-text.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {UiRole} from '#theme/roles.ts';
import {linesWithMargin, type MarginAppearance} from './message-lines.ts';
import type {Typeset} from './typeset.ts';

export interface UnsentAppearance extends MarginAppearance {
  /** It takes so long that it should be seen. */
  readonly isSlow: boolean;
  readonly isOnline: boolean;
}

interface CachedUnsentLines {
  readonly typeset: Typeset;
  readonly look: UnsentAppearance;
  readonly lines: readonly PaneLine[];
}

const rows = new WeakMap<OutboxEntry, CachedUnsentLines>();

/** A message that the server does not have yet: quiet while it is on its way, with a word on what to do when it is not. */
export function unsentLines(
  typeset: Typeset,
  entry: OutboxEntry,
  look: UnsentAppearance,
): readonly PaneLine[] {
  const known = rows.get(entry);
  if (known !== undefined && known.typeset === typeset && isSame(known.look, look)) return known.lines;
  const clock = clockText(entry.createdAt, typeset.time);
  const lines = linesWithMargin(
    typeset,
    [...contentLines(typeset, entry, look), ...stateLines(typeset, entry, look)],
    look,
    clock,
  );
  rows.set(entry, {typeset, look, lines});
  return lines;
}

function isSame(a: UnsentAppearance, b: UnsentAppearance): boolean {
  return (
    a.mark === b.mark &&
    a.isSlow === b.isSlow &&
    a.isOnline === b.isOnline &&
    a.showsName === b.showsName &&
    a.showsTime === b.showsTime &&
    a.name === b.name
  );
}

function contentLines(
  typeset: Typeset,
  entry: OutboxEntry,
  {name, isSlow}: UnsentAppearance,
): readonly UiLine[] {
  const {context, options, glyphs: signs, measures} = typeset;
  const {lines} = renderMessage({source: entry.content, senderName: name}, context, options);
  if (!isOnItsWay(entry)) return lines;
  const pending = lines.map((line) => ({...line, spans: line.spans.map(pendingSpan)}));
  const last = pending.at(-1);
  if (!isSlow || last === undefined) return pending;
  const marked = fittedLine(
    [...last.spans, {text: ` ${signs.ellipsis}`, role: 'pending'}],
    measures.textWidth,
  );
  return [...pending.slice(0, -1), marked];
}

function isOnItsWay({status}: OutboxEntry): boolean {
  return status === 'queued' || status === 'sending' || status === 'sent';
}

function pendingSpan(span: UiSpan): UiSpan {
  return {...span, role: 'pending'};
}

function stateLines(typeset: Typeset, entry: OutboxEntry, look: UnsentAppearance): readonly UiLine[] {
  const said = statusSpan(typeset, entry, look);
  if (said === undefined) return [];
  return wrapSpans<UiRole>([...fittedLine([said], Number.MAX_SAFE_INTEGER).spans], {
    width: typeset.measures.textWidth,
  });
}

/** The keys stand there only where they work: on the message that has the cursor. */
function statusSpan(
  {glyphs: signs, time}: Typeset,
  {status, problem, createdAt}: OutboxEntry,
  {isOnline, mark}: UnsentAppearance,
): UiSpan | undefined {
  const keys = (enter: string) =>
    mark === 'none'
      ? ''
      : ` ${signs.dash} Enter ${enter} ${signs.between} e edit ${signs.between} Delete to drafts`;
  const why = problem === undefined ? '' : `: ${problem}`;
  switch (status) {
    case 'failed':
      return {text: `! not sent${why}${keys('retry')}`, role: 'failed'};
    case 'unconfirmed':
      return {text: `? perhaps not sent${why}${keys('send again')}`, role: 'failed'};
    case 'held': {
      const when = clockText(createdAt, time);
      return {text: `! waits for your word, written at ${when}${keys('send')}`, role: 'failed'};
    }
    case 'queued':
      return isOnline ? undefined : {text: 'waits for the connection', role: 'pending'};
    default:
      return undefined;
  }
}

import type {PaneLine} from '#app/core/pane-line.ts';
import type {UiLine, UiSpan} from '#app/layout/ui-line.ts';
import {row} from '#app/layout/ui-line.ts';
import {renderMessage} from '#content/render/render-message.ts';
import {wrap} from '#content/styled-text/wrap.ts';
import {clockText} from '#content/time-text.ts';
import type {OutboxEntry} from '#state/model/outbox.ts';
import type {UiRole} from '#theme/roles.ts';
import {type SetLook, setLines} from './message-lines.ts';
import type {Typeset} from './typeset.ts';

export interface UnsentLook extends SetLook {
  /** It takes so long that it should be seen. */
  readonly isSlow: boolean;
  readonly isOnline: boolean;
}

interface UnsentRow {
  readonly typeset: Typeset;
  readonly look: UnsentLook;
  readonly lines: readonly PaneLine[];
}

const rows = new WeakMap<OutboxEntry, UnsentRow>();

/** A message that the server does not have yet: quiet while it is on its way, with a word on what to do when it is not. */
export function unsentLines(typeset: Typeset, entry: OutboxEntry, look: UnsentLook): readonly PaneLine[] {
  const known = rows.get(entry);
  if (known !== undefined && known.typeset === typeset && isSame(known.look, look)) return known.lines;
  const clock = clockText(entry.createdAt, typeset.time);
  const lines = setLines(
    typeset,
    [...contentLines(typeset, entry, look), ...stateLines(typeset, entry, look)],
    look,
    clock,
  );
  rows.set(entry, {typeset, look, lines});
  return lines;
}

function isSame(a: UnsentLook, b: UnsentLook): boolean {
  return (
    a.mark === b.mark &&
    a.isSlow === b.isSlow &&
    a.isOnline === b.isOnline &&
    a.showsName === b.showsName &&
    a.showsTime === b.showsTime &&
    a.name === b.name
  );
}

function contentLines(typeset: Typeset, entry: OutboxEntry, {name, isSlow}: UnsentLook): readonly UiLine[] {
  const {context, options, signs, measures} = typeset;
  const {lines} = renderMessage({source: entry.content, senderName: name}, context, options);
  if (!isOnItsWay(entry)) return lines;
  const pending = lines.map((line) => ({...line, spans: line.spans.map(pendingSpan)}));
  const last = pending.at(-1);
  if (!isSlow || last === undefined) return pending;
  const marked = row([...last.spans, {text: ` ${signs.ellipsis}`, role: 'pending'}], measures.textWidth);
  return [...pending.slice(0, -1), marked];
}

function isOnItsWay({status}: OutboxEntry): boolean {
  return status === 'queued' || status === 'sending' || status === 'sent';
}

function pendingSpan(span: UiSpan): UiSpan {
  return {...span, role: 'pending'};
}

function stateLines(typeset: Typeset, entry: OutboxEntry, look: UnsentLook): readonly UiLine[] {
  const said = stateOf(typeset, entry, look);
  if (said === undefined) return [];
  return wrap<UiRole>([...row([said], Number.MAX_SAFE_INTEGER).spans], {width: typeset.measures.textWidth});
}

/** The keys stand there only where they work: on the message that has the cursor. */
function stateOf(
  {signs, time}: Typeset,
  {status, problem, createdAt}: OutboxEntry,
  {isOnline, mark}: UnsentLook,
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

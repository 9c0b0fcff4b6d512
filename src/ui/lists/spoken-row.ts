import {spansColumns} from '#content/styled-text/wrap.ts';
import type {ShownUnreads} from '#state/selectors/unreads/unread-counts.ts';
import {excerpt} from '#ui/format/message-context.ts';
import {fittedLine, type UiLine, type UiSpan} from '#ui/layout/ui-line.ts';
import {countedNoun} from '#wording/counted-noun.ts';
import type {ListRow, RowContext} from './list-source.ts';
import type {DirectPresence} from './navigation-row.ts';

/** Lines of a text below an entry are not rows of their own. */
export function isSpokenRow({kind}: ListRow): boolean {
  return kind === 'item' || kind === 'title';
}

/** What rows of lists say by symbols and columns. A row has some of it. */
type RowFacts = Partial<
  Pick<ShownUnreads, 'count' | 'mentions' | 'isQuiet'> &
    Readonly<Record<keyof typeof factWords, boolean>> & {
      readonly newCount: number;
      readonly names: Parameters<typeof excerpt>[1];
      readonly snippetFacts: Parameters<typeof excerpt>[2];
      /** Names, or a number of subscribers. */
      readonly people: string | number;
      readonly presence: DirectPresence;
      readonly unreads: Pick<ShownUnreads, 'count' | 'mentions'>;
    } & Readonly<Record<(typeof textFacts)[number] | 'snippet', string>>
>;

const factWords = {
  isNew: 'new conversation',
  isMuted: 'muted',
  isFollowed: 'followed',
  isResolved: 'resolved',
  hasDraft: 'draft',
  hasAlertWord: 'alert word',
  isSnoozeOver: 'back from snooze',
  isSubscribed: 'subscribed',
  isPrivate: 'private',
  isBot: 'bot',
  isSelf: 'you',
} as const;

const presenceWords: Readonly<Record<DirectPresence, string>> = {
  active: 'online',
  idle: 'idle',
  offline: 'offline',
  unknown: '',
};

/** Texts that rows show in columns. Without ages: they change every minute, and what changes is spoken. */
const textFacts = ['role', 'status', 'why', 'note', 'when', 'description'] as const;

/** Returns a row for a screen reader: `#backend > deploy freeze, 3 unread, 1 mention, followed: can we lift it?` */
export function spokenRowLine(
  row: ListRow,
  spokenCount: string | undefined,
  {columns, glyphs, isFolded, label}: RowContext,
): UiLine {
  const facts: RowFacts = row.kind === 'item' || isFolded ? (row as RowFacts) : {};
  const words = [
    ...(isFolded ? [glyphs.folded] : []),
    ...(spokenCount === undefined ? countWords(facts, row.target) : [spokenCount]),
    ...wordsOf(facts),
  ];
  const snippet = facts.snippet === undefined ? '' : excerpt(facts.snippet, facts.names, facts.snippetFacts);
  const after: UiSpan = {text: words.map((word) => `, ${word}`).join(''), role: 'text'};
  const {ellipsis} = glyphs;
  // The name is shortened, not what the row says about it.
  const room = Math.max(Math.floor(columns / 2), columns - spansColumns([after]));
  const name = fittedLine(label('text'), room, ellipsis);
  const quoted: UiSpan = {text: snippet === '' ? '' : `: ${snippet}`, role: 'text'};
  return fittedLine([...name.spans, after, quoted], columns, ellipsis);
}

/** The count of a view such as the starred messages is that of its entries, which need not be unread. */
function countWords(facts: RowFacts, target: ListRow['target']): readonly string[] {
  const {count = 0, mentions = 0} = facts.unreads ?? facts;
  if (count === 0) return [];
  if (target?.kind === 'view' && facts.isQuiet === true) return [`${count} ${count === 1 ? 'entry' : 'entries'}`];
  return [`${count} unread`, ...(mentions > 0 ? [countedNoun(mentions, 'mention')] : [])];
}

function wordsOf(facts: RowFacts): readonly string[] {
  const names = Object.keys(factWords) as (keyof typeof factWords)[];
  return [
    facts.newCount !== undefined && facts.newCount > 0 ? `${facts.newCount} of them new` : '',
    ...names.map((name) => (facts[name] === true ? factWords[name] : '')),
    facts.presence === undefined ? '' : presenceWords[facts.presence],
    typeof facts.people === 'number' ? `${facts.people} subscribers` : (facts.people ?? ''),
    ...textFacts.map((name) => facts[name] ?? ''),
  ].filter((word) => word !== '');
}

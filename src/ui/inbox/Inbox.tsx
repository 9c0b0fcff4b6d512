import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, LinesPart, type PartProps} from '#ui/Lines.tsx';
import {Rule} from '#ui/layout/Rule.tsx';
import {ListPart} from '#ui/lists/ListPart.tsx';
import {inboxLayout} from './inbox-layout.ts';
import {inboxSummary, summaryLines} from './inbox-summary.ts';
import {inboxTabsLine, isInboxEmpty, ruleLine} from './inbox-tabs.ts';
import {Preview} from './Preview.tsx';

/** The unread conversations, and beside or below them the messages of the one under the cursor. */
export function Inbox({rect}: PartProps) {
  const {tabs, rule, body, list, divider, heading, preview} = useSelectEqual((snapshot) => inboxLayout(snapshot, rect));
  const isEmpty = useSelect(isInboxEmpty);
  return (
    <>
      <Tabs rect={tabs} />
      {rule && <HeadRule rect={rule} dividerAt={isEmpty ? undefined : divider?.x} />}
      {isEmpty ? <InboxSummary rect={body} /> : <InboxList rect={list} />}
      {!isEmpty && divider && <Rule rect={divider} />}
      {!isEmpty && preview && <Preview heading={heading} rect={preview} place={divider ? 'beside' : 'below'} />}
    </>
  );
}

function Tabs({rect}: PartProps) {
  return <LinesPart rect={rect} label="Inbox" select={inboxTabsLine} linesOf={(line) => [line]} />;
}

interface HeadRuleProps extends PartProps {
  /** The column of the line that starts at the rule, if there is one. */
  readonly dividerAt?: number | undefined;
}

/** The rule below the tabs, or below the heading of triage. */
export function HeadRule({rect, dividerAt}: HeadRuleProps) {
  const glyphs = useSelect(({display}) => display.glyphs);
  return <Lines rect={rect} label="" lines={[ruleLine(glyphs, rect, dividerAt)]} />;
}

export function InboxList({rect}: PartProps) {
  return <ListPart rect={rect} id="inbox" label="Unread conversations" />;
}

/** Shown instead of the list when nothing is unread. */
export function InboxSummary({rect}: PartProps) {
  return (
    <LinesPart
      rect={rect}
      label="Inbox"
      select={inboxSummary}
      linesOf={(summary, {columns, rows}) => summaryLines(summary, columns).slice(0, rows)}
    />
  );
}

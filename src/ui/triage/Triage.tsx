import {useSelect} from '#ui/hooks/use-select.ts';
import {HeadRule, InboxList, InboxSummary} from '#ui/inbox/Inbox.tsx';
import {triageLayout} from '#ui/inbox/inbox-layout.ts';
import {triageItemUnderCursor} from '#ui/inbox/inbox-preview.ts';
import {isInboxEmpty} from '#ui/inbox/inbox-tabs.ts';
import {Preview} from '#ui/inbox/Preview.tsx';
import {foldedGroup} from '#ui/inbox/preview-heading.ts';
import type {PartProps} from '#ui/Lines.tsx';

/** The inbox, one conversation at a time. */
export function Triage({rect}: PartProps) {
  const isEmpty = useSelect(isInboxEmpty);
  const hasRow = useSelect((snapshot) => (triageItemUnderCursor(snapshot) ?? foldedGroup(snapshot)) !== undefined);
  const {heading, rule, preview} = triageLayout(rect);
  if (isEmpty) return <InboxSummary rect={rect} />;
  if (!hasRow) return <InboxList rect={rect} />;
  return (
    <>
      <Preview heading={heading} rect={preview} place="alone" />
      {rule && <HeadRule rect={rule} />}
    </>
  );
}

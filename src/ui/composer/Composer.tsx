import {useMemo} from 'react';
import {sameFields} from '#std/memo.ts';
import type {Frame} from '#ui/core/frame.ts';
import {useScreen, useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, LinesPart, type PartProps} from '#ui/Lines.tsx';
import type {Layout, SelectedRows} from '#ui/layout/layout.ts';
import {firstRow, type Part} from '#ui/part.ts';
import {
  closedLines,
  closedText,
  composerCursor,
  composerParts,
  fitComposerParts,
  isShownOpen,
  noticeLines,
  previewLines,
  shownPreview,
  shownText,
  textLines,
} from './composer-lines.ts';
import {destinationLines} from './destination-lines.ts';

/** Where a message is written; closed, where a reply would go. */
export function Composer({rect}: PartProps) {
  return useScreen(isShownOpen) ? <OpenComposer rect={rect} /> : <ClosedComposer rect={rect} />;
}

function ClosedComposer({rect}: PartProps) {
  return <LinesPart rect={rect} select={closedText} linesOf={closedLines} />;
}

/** The destination, the text or its preview, and below it prompts, warnings and other notices. */
function OpenComposer({rect}: PartProps) {
  const destination = useSelectEqual((snapshot) => composerParts(snapshot).destination);
  const notices = useSelectEqual((snapshot) => composerParts(snapshot).notices);
  const isPreviewed = useScreen(({composer}) => composer.isPreviewed);
  const {columns, rows, y} = rect;
  const above = useMemo(() => destinationLines(destination, columns), [destination, columns]);
  const below = useMemo(() => noticeLines(notices, columns), [notices, columns]);
  const fitted = fitComposerParts({above, below}, rows);
  const body = {...rect, y: y + fitted.above.length, rows: fitted.height};
  const noticesRect = {...rect, y: body.y + body.rows, rows: fitted.below.length};
  return (
    <>
      <Lines rect={{...rect, rows: fitted.above.length}} lines={fitted.above} />
      {isPreviewed ? <MessagePreview rect={body} /> : <MessageText rect={body} />}
      <Lines rect={noticesRect} lines={fitted.below} />
    </>
  );
}

function MessageText({rect}: PartProps) {
  const text = useSelect((snapshot) => shownText(snapshot, rect.rows), sameFields);
  return <Lines rect={rect} lines={textLines(text, rect.columns)} />;
}

/** The message as its readers will see it. */
function MessagePreview({rect}: PartProps) {
  return <LinesPart rect={rect} select={shownPreview} linesOf={previewLines} />;
}

export const composerPart: Part = {
  id: 'composer',
  component: Composer,
  place: ({composer}) => composer,
  editedText: composerCursor,
  selectedRows: (frame, layout) => (frame.screen.focus === 'composer' ? activePart(frame, layout) : undefined),
};

/** A field for the destination is spoken when it gets the focus; the text of the message is not spoken again. */
function activePart(frame: Frame, layout: Layout): SelectedRows | undefined {
  const at = firstRow(layout.composer);
  const {activePart: part} = frame.screen.composer;
  if (at === undefined || part === 'text') return at;
  return {...at, y: composerCursor(frame, layout)?.y ?? at.y, key: `composer ${part}`};
}

import {sameArguments} from '#std/memo.ts';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {completionMenuLines, completionMenuRect} from './completion-menu-lines.ts';

/** People, channels, topics, emoji and commands that complete the text at the cursor. */
export function CompletionMenu() {
  const rect = useSelectEqual(completionMenuRect);
  return rect === undefined ? null : <MenuLines rect={rect} />;
}

function MenuLines({rect}: PartProps) {
  const lines = useSelect((snapshot) => completionMenuLines(snapshot, rect), sameArguments);
  return <Lines rect={rect} label="Completions" lines={lines} isFloating />;
}

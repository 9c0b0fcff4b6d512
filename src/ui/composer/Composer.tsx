import {sameArguments} from '#std/memo.ts';
import {useSelect} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {composerLines} from './composer-lines.ts';

/** Where a message is written: its destination, text, files and warnings; closed, where a reply would go. */
export function Composer({rect}: PartProps) {
  const lines = useSelect((snapshot) => composerLines(snapshot, rect), sameArguments);
  return <Lines rect={rect} label="Composer" lines={lines} />;
}

import {sameArguments} from '#std/memo.ts';
import {useSelect} from '#ui/hooks/use-select.ts';
import {Lines, type PartProps} from '#ui/Lines.tsx';
import {triageLines} from './triage-lines.ts';

/** The inbox, one conversation at a time. */
export function Triage({rect}: PartProps) {
  const lines = useSelect((snapshot) => triageLines(snapshot, rect), sameArguments);
  return <Lines rect={rect} label="Triage" lines={lines} />;
}

import {memo} from 'react';
import {useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines} from '#ui/Lines.tsx';
import {keyContinuations, keyLines} from './status-line.ts';

/** The keys that can follow the pressed ones, while a key sequence is incomplete. */
export const KeyPanel = memo(function KeyPanel() {
  const keys = useSelectEqual(keyContinuations);
  const display = useSelect((snapshot) => snapshot.display);
  if (keys === undefined) return null;
  return <Lines rect={keys.rect} label="Keys" lines={keyLines(keys, display)} isFloating />;
});

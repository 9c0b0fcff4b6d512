import {memo} from 'react';
import {useScreen, useSelect, useSelectEqual} from '#ui/hooks/use-select.ts';
import {Lines} from '#ui/Lines.tsx';
import type {FloatingPart} from '#ui/part.ts';
import {chosenCompletion, completionMenuLines, completionMenuRect} from './completion-menu.ts';

/** People, channels, topics, emoji and commands that complete the text at the cursor. */
export const CompletionMenu = memo(function CompletionMenu() {
  const rect = useSelectEqual(completionMenuRect);
  const menu = useScreen((screen) => screen.composer.menu);
  const display = useSelect((snapshot) => snapshot.display);
  if (rect === undefined || menu === undefined) return null;
  return <Lines rect={rect} lines={completionMenuLines(menu, rect, display)} isFloating />;
});

export const completionMenuPart: FloatingPart = {
  id: 'completions',
  component: CompletionMenu,
  selectedRows: chosenCompletion,
};

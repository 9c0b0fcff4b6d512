import {isIn, type PartInput} from '#app/core/part-input.ts';
import {closeFilterInput} from '#app/lists/change-list.ts';
import {completionMenuRect, completionOptionAt} from '#ui/completion-menu/completion-menu.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {acceptCompletionAt, moveCompletionMenu, placeTextCursorAt} from './change-composer.ts';
import {pasteIntoComposer, typeIntoComposer} from './type-into-composer.ts';

export const composerInput: PartInput = {
  focus: 'composer',
  isAt: (frame, cell) => isIn(screenLayout(frame).composer, cell),
  /** Starts a reply in a closed composer; moves the text cursor in an open one. */
  click: (app, {cell, run}) => {
    closeFilterInput(app);
    if (!app.screen.composer.isOpen) {
      app.set({focus: 'main'});
      run('reply');
      return;
    }
    placeTextCursorAt(app, cell);
    app.set({focus: 'composer'});
  },
  texts: [
    {
      kind: 'composer',
      isTyped: ({screen}) => screen.focus === 'composer',
      insert: typeIntoComposer,
      paste: pasteIntoComposer,
    },
  ],
};

export const completionMenuInput: PartInput = {
  isAt: (frame, cell) => isIn(completionMenuRect(frame), cell),
  click: (app, {cell}) => {
    const option = completionOptionAt(app.frame, cell.y);
    if (option !== undefined) acceptCompletionAt(app, option);
  },
  wheel: moveCompletionMenu,
};

import {isIn, type PartInput} from '#app/core/part-input.ts';
import {screenLayout} from '#ui/screen-layout.ts';

export const bannerInput: PartInput = {
  focus: 'banner',
  isAt: (frame, cell) => isIn(screenLayout(frame).banner, cell),
  click: (app, {hadFocus, run}) => {
    app.set({focus: 'banner'});
    if (hadFocus) run('banner.accept');
  },
};

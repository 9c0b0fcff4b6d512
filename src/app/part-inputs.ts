import {bannerInput} from '#app/banner/banner-input.ts';
import {completionMenuInput, composerInput} from '#app/composer/composer-input.ts';
import {type Click, isIn, type PartInput} from '#app/core/part-input.ts';
import {clickInbox, clickTriage, wheelInInbox} from '#app/inbox/inbox-input.ts';
import {clickMainList, filterText, sideListInput} from '#app/lists/list-input.ts';
import {scrollList} from '#app/lists/move-in-list.ts';
import {clickMessagePane} from '#app/message-actions/click-messages.ts';
import {moveInMessages} from '#app/message-pane/move-in-messages.ts';
import type {View} from '#ui/core/frame.ts';
import {listTable, mainList} from '#ui/list-table.ts';
import {tabInHead} from '#ui/lists/list-position.ts';
import type {ListSource} from '#ui/lists/list-source.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {keyContinuations} from '#ui/status-line/status-line.ts';
import {overlayInput} from './overlay-input.ts';

type ViewInput = Required<Pick<PartInput, 'click' | 'wheel'>>;

/** What the mouse does in views that show more than a list. */
const viewInputs: Partial<Readonly<Record<View['kind'], ViewInput>>> = {
  inbox: {click: clickInbox, wheel: wheelInInbox},
  triage: {click: clickTriage, wheel: wheelInInbox},
  messages: {click: clickMessagePane, wheel: (app, step) => moveInMessages(app, {by: 'line', step})},
};

/** The main pane: what the view says, or else what all lists do. */
export const mainInput: PartInput & ViewInput = {
  focus: 'main',
  isAt: (frame, cell) => isIn(screenLayout(frame).main, cell),
  click: (app, click) => {
    const {view} = app.screen;
    const list = mainList(view);
    const own = viewInputs[view.kind];
    if (own !== undefined) own.click(app, click);
    else if (list !== undefined) clickMainList(app, list, click, tabUnder(list, click));
  },
  wheel: (app, step, cell) => {
    const {view} = app.screen;
    const list = mainList(view);
    const own = viewInputs[view.kind];
    if (own !== undefined) own.wheel(app, step, cell);
    else if (list !== undefined) scrollList(app, list, step);
  },
  texts: [filterText],
};

/** Returns the tab at a cell of the head of a list. */
function tabUnder(list: ListSource, {painted, cell}: Click): number | undefined {
  return tabInHead(painted, list, screenLayout(painted).main, cell);
}

/** What lies over the panes, topmost first. A click on the panel of keys does nothing. */
export const floatingInputs: readonly PartInput[] = [
  overlayInput,
  completionMenuInput,
  {isAt: (frame, cell) => isIn(keyContinuations(frame)?.rect, cell)},
];

export const paneInputs: readonly PartInput[] = [
  ...Object.values(listTable).flatMap((list) => (list.pane === undefined ? [] : sideListInput(list.pane, list))),
  composerInput,
  bannerInput,
  mainInput,
];

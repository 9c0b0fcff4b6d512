import {Box, useCursor} from 'ink';
import type {ReactNode} from 'react';
import {prefixLines, prefixRect} from '#app/chrome/prefix-panel.ts';
import {completionMenuLines, completionMenuRect} from '#app/compose/pane/completion-menu-pane.ts';
import type {Layout, Rect} from '#app/layout/layout.ts';
import {screenLayout} from '#app/layout/screen-layout.ts';
import {terminalCursorPosition} from '#app/layout/terminal-cursor.ts';
import {overlayLines, overlayRect} from '#app/overlays/overlay-pane.ts';
import {FloatingBox} from '#ui/ink/FloatingBox.tsx';
import {FloatingPane} from './FloatingPane.tsx';
import {Banner} from './panes/Banner.tsx';
import {ChannelList} from './panes/ChannelList.tsx';
import {Composer} from './panes/Composer.tsx';
import {Header} from './panes/Header.tsx';
import {MainPane} from './panes/MainPane.tsx';
import {PeopleList} from './panes/PeopleList.tsx';
import {Rule} from './panes/Rule.tsx';
import {StatusLine} from './panes/StatusLine.tsx';
import {TooSmall} from './panes/TooSmall.tsx';
import {TopicList} from './panes/TopicList.tsx';
import {useFrame} from './use-frame.ts';
import {useStableSelector} from './use-steady.ts';

function At({rect, children}: {readonly rect: Rect; readonly children: ReactNode}) {
  return (
    <Box position="absolute" left={rect.x} top={rect.y} width={rect.columns} height={rect.rows}>
      {children}
    </Box>
  );
}

/** Over what is beneath it. */
function Over({rect, children}: {readonly rect: Rect; readonly children: ReactNode}) {
  return (
    <FloatingBox left={rect.x} top={rect.y} width={rect.columns} height={rect.rows}>
      {children}
    </FloatingBox>
  );
}

/** The whole screen: every pane at its place, always exactly as large as the terminal. */
export function Screen() {
  const layout = useFrame(useStableSelector(screenLayout));
  const cursor = useFrame(useStableSelector(terminalCursorPosition));
  const {setCursorPosition} = useCursor();
  setCursorPosition(cursor);
  const {columns, rows} = useFrame(({screen}) => screen.size);
  return (
    <Box width={columns} height={rows} overflow="hidden">
      {layout.size === 'tooSmall' ? <TooSmall /> : <Panes layout={layout} />}
    </Box>
  );
}

function Panes({layout}: {readonly layout: Layout}) {
  const {header, channels, topics, banner, main, people, composer, status, toast, rules} = layout;
  const Place = layout.isDrawer ? Over : At;
  const lists = (
    <>
      {channels && (
        <Place rect={channels}>
          <ChannelList rect={channels} />
        </Place>
      )}
      {topics && (
        <Place rect={topics}>
          <TopicList rect={topics} />
        </Place>
      )}
    </>
  );
  return (
    <>
      {header && (
        <At rect={header}>
          <Header rect={header} />
        </At>
      )}
      {!layout.isDrawer && lists}
      {banner && (
        <At rect={banner}>
          <Banner rect={banner} />
        </At>
      )}
      <At rect={main}>
        <MainPane rect={main} />
      </At>
      {composer && (
        <At rect={composer}>
          <Composer rect={composer} />
        </At>
      )}
      {people && (
        <At rect={people}>
          <PeopleList rect={people} />
        </At>
      )}
      {rules.map((rect) => (
        <At key={rect.x} rect={rect}>
          <Rule rect={rect} />
        </At>
      ))}
      {layout.isDrawer && lists}
      {status && (
        <At rect={status}>
          <StatusLine rect={status} />
        </At>
      )}
      <FloatingPane place={completionMenuRect} lines={completionMenuLines} label="Completions" />
      <FloatingPane place={overlayRect} lines={overlayLines} label="Menu" />
      <FloatingPane place={prefixRect} lines={prefixLines} label="Keys" />
      {toast && (
        <Over rect={toast}>
          <StatusLine rect={toast} />
        </Over>
      )}
    </>
  );
}

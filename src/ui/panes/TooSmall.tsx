import {memo} from 'react';
import {tooSmallLines} from '#app/layout/too-small-screen.ts';
import {CachedMessagePane} from '#ui/Pane.tsx';
import {useFrame} from '#ui/use-frame.ts';

export const TooSmall = memo(function TooSmall() {
  const {columns, rows} = useFrame(({screen}) => screen.size);
  return <CachedMessagePane rect={{x: 0, y: 0, columns, rows}} lines={tooSmallLines} label="Too small" />;
});

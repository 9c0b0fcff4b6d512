import {useScreen} from '#ui/hooks/use-screen.ts';
import {Lines} from '#ui/Lines.tsx';
import {tooSmallLines} from './too-small-screen.ts';

/** The sentence in place of a screen that is too small for anything else. */
export function TooSmall() {
  const size = useScreen((screen) => screen.size);
  const rect = {x: 0, y: 0, ...size};
  return <Lines rect={rect} label="Too small" lines={tooSmallLines(size)} />;
}

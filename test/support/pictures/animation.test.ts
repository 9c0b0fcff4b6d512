import {expect, test} from 'vitest';
import {type AnimationFrame, animation} from './animation.ts';
import {shown} from './shown.ts';

async function frame(output: string, options: Partial<AnimationFrame> = {}): Promise<AnimationFrame> {
  return {screen: await shown(output), cursor: 'block', seconds: 1, key: '', caption: '', ...options};
}

/** Returns the visible parts of each frame, in percent of the whole time. */
function times(svg: string): string[] {
  const rules = svg.matchAll(/@keyframes k\d+\{0%\{visibility:hidden\}(.*)\{visibility:visible\}(.*),100%/g);
  return Array.from(rules, ([, start, end]) => `${start} to ${end}`);
}

/** Returns the elements of each frame. */
function groups(svg: string): string[][] {
  const found = svg.matchAll(/<g class="f" id="f\d+">\n(.*?)\n<\/g>/gs);
  return Array.from(found, ([, content = '']) => content.split('\n'));
}

const hiddenCursor = '\u001b[?25l';

test('animation: each frame is visible for its seconds, one after the other, and again from the beginning', async () => {
  const svg = animation(
    [await frame('one', {seconds: 1}), await frame('two', {seconds: 2.5}), await frame('three', {seconds: 0.5})],
    'Three',
  );
  expect(svg).toContain('.f{visibility:hidden;animation:4s step-end infinite}');
  expect(times(svg)).toEqual(['0% to 25%', '25% to 87.5%', '87.5% to 100%']);
  expect([0, 1, 2].every((at) => svg.includes(`#f${at}{animation-name:k${at}}`))).toBe(true);
});

test('animation: without animations, and when less motion is preferred, the first frame alone is visible', async () => {
  const svg = animation([await frame('one'), await frame('two')], 'Two');
  expect(svg).toContain('#f0{visibility:visible}');
  expect(svg).toContain('@media(prefers-reduced-motion:reduce){.f{animation:none}}');
});

test('animation: a row that several frames or rows share is drawn once, an empty row not at all', async () => {
  const frames = [await frame(`${hiddenCursor}same\r\nold`), await frame(`${hiddenCursor}same\r\nnew\r\nsame`)];
  const svg = animation(frames, 'Two');
  expect(svg.match(/>same<\/text>/g)).toHaveLength(1);
  const uses = groups(svg).map((elements) => elements.filter((each) => each.startsWith('<use')));
  expect(uses).toEqual([
    ['<use href="#r0" y="0"/>', '<use href="#r1" y="18"/>'],
    ['<use href="#r0" y="0"/>', '<use href="#r2" y="18"/>', '<use href="#r0" y="36"/>'],
  ]);
});

test('animation: the cursor is in its own frame only', async () => {
  const svg = animation([await frame('a'), await frame(`${hiddenCursor}a`)], 'Two');
  const cursors = groups(svg).map((elements) => elements.filter((each) => each.startsWith('<rect')));
  expect(cursors).toEqual([['<rect x="8.4" y="0" width="8.4" height="18" fill="#d0d4da"/>'], []]);
});

test('animation: a pressed key is a key cap beside its caption', async () => {
  const svg = animation([await frame(hiddenCursor, {key: 'Enter', caption: 'Open it'})], 'One');
  expect(svg).toMatch(/<rect [^>]*rx="4"[^>]*\/>\n<text class="b m" [^>]*>Enter<\/text>\n<text [^>]*>Open it<\/text>/);
  expect(animation([await frame(hiddenCursor, {caption: 'Open it'})], 'One')).not.toContain('rx="4"');
});

test('animation: title, rows, keys and captions are escaped, and there is no script', async () => {
  const svg = animation([await frame('<script>&', {key: '<', caption: 'a & b'})], 'a<b');
  expect(svg).toContain('<title>a&lt;b</title>');
  expect(svg).toContain('>&lt;script&gt;&amp;</text>');
  expect(svg).toContain('>&lt;</text>');
  expect(svg).toContain('>a &amp; b</text>');
  expect(svg).not.toContain('<script');
});

test('animation: no frames are refused', () => {
  expect(() => animation([], 'None')).toThrow('An animation needs a frame.');
});

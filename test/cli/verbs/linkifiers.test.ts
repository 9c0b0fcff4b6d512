import {expect, test} from 'vitest';
import {verbScene} from './verb-scene.ts';

async function linkifierScene() {
  const scene = await verbScene();
  const linkifiers = async () => (await scene.server.as(scene.meg).get('/realm/linkifiers')).linkifiers;
  for (const {id} of await linkifiers()) await scene.server.as(scene.owner).delete(`/realm/filters/${id}`);
  return {...scene, linkifiers};
}

test('linkifier: it is added, listed, changed, reordered and removed', async () => {
  const {asOwner, run, linkifiers} = await linkifierScene();
  expect((await run('linkifier list', [])).out).toBe('No linkifiers.\n');
  const ticket = ['#(?P<id>[0-9]+)', 'https://tracker.example/{id}'];
  const alternative = ['--alternative', 'https://old.example/{id}'];
  const more = ['--example', '#12', '--reverse', '#{id}', ...alternative, '--json'];
  const made = await asOwner.run('linkifier add', [...ticket, ...more]);
  const {id} = JSON.parse(made.out);
  await asOwner.run('linkifier add', ['PR(?P<n>[0-9]+)', 'https://code.example/{n}']);
  expect(await linkifiers()).toMatchObject([
    {id, example_input: '#12', reverse_template: '#{id}'},
    {pattern: 'PR(?P<n>[0-9]+)'},
  ]);
  expect((await run('linkifier list', [])).out).toBe(
    `${id}  #(?P<id>[0-9]+)  https://tracker.example/{id}\n${id + 1}  PR(?P<n>[0-9]+)  https://code.example/{n}\n`,
  );
  expect(await asOwner.run('linkifier edit', [String(id), '--url', 'https://new.example/{id}'])).toMatchObject({
    code: 0,
  });
  const kept = {reverse_template: '#{id}', alternative_url_templates: ['https://old.example/{id}']};
  expect(await linkifiers()).toMatchObject([{url_template: 'https://new.example/{id}', ...kept}, {}]);
  expect(await asOwner.run('linkifier edit', [String(id), '--alternative', ''])).toMatchObject({code: 0});
  expect(await linkifiers()).toMatchObject([{...kept, alternative_url_templates: []}, {}]);
  expect(await asOwner.run('linkifier reorder', [String(id + 1)])).toMatchObject({
    out: `The order is ${id + 1}, ${id}.\n`,
  });
  expect(await linkifiers()).toMatchObject([{id: id + 1}, {id}]);
  await asOwner.run('linkifier add', ['T(?P<n>[0-9]+)', 'https://third.example/{n}']);
  // Those that are not named keep their order.
  expect((await asOwner.run('linkifier reorder', [String(id + 2)])).out).toBe(
    `The order is ${id + 2}, ${id + 1}, ${id}.\n`,
  );
  await asOwner.run('linkifier remove', [String(id + 2), '--yes']);
  expect(JSON.parse((await run('linkifier list', ['--json'])).out)).toMatchObject([{id: id + 1}, {id}]);
  expect(await asOwner.run('linkifier remove', [String(id), String(id + 1), '--yes'])).toMatchObject({
    out: 'Removed 2 linkifiers.\n',
  });
  expect(await linkifiers()).toEqual([]);
});

test('linkifier: invalid ones are refused with the reason, and changes by members', async () => {
  const {asOwner, run, linkifiers} = await linkifierScene();
  expect(await run('linkifier add', ['a(?P<x>b)', 'https://x.example/{x}'])).toEqual({
    code: 5,
    out: '',
    err: 'Only administrators can change linkifiers.\n',
  });
  const invalid = await asOwner.run('linkifier add', ['(', 'https://x.example/']);
  expect([invalid.code, invalid.out, invalid.err.endsWith('.\n')]).toEqual([1, '', true]);
  const added = await asOwner.run('linkifier add', ['T(?P<x>[0-9]+)', 'https://x.example/{x}', '--json']);
  const {id} = JSON.parse(added.out);
  const mismatch = await asOwner.run('linkifier edit', [String(id), '--example', 'T1', '--reverse', 'U{x}']);
  expect([mismatch.code, mismatch.out]).toEqual([1, '']);
  expect(await asOwner.run('linkifier remove', ['9999', '--yes'])).toMatchObject({
    code: 1,
    err: 'There is no linkifier 9999. “parley linkifier list” lists them.\n',
  });
  expect(await linkifiers()).toHaveLength(1);
});

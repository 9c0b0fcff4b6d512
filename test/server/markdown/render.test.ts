import {describe, expect, test} from 'vitest';
import type {HtmlRenderContext} from '#server/markdown/html-render-context.ts';
import {renderMarkdown, renderTopicLinks} from '#server/markdown/render.ts';
import {renderCaseContext} from './render-case-context.ts';

const world = renderCaseContext();

function html(source: string, extra: HtmlRenderContext = {}): string {
  return renderMarkdown(source, {...world, ...extra}).html;
}

describe('mentions', () => {
  test('a user is mentioned whatever the case of the name', () => {
    const rendered = renderMarkdown('hi @**king hamlet**', world);
    expect(rendered.html).toBe('<p>hi <span class="user-mention" data-user-id="10">@King Hamlet</span></p>');
    expect(rendered.mentions.userIds).toEqual(new Set([10]));
  });

  test('a name with an id must be that person’s name', () => {
    expect(html('@**Zoe|7** @**|7**')).toContain(
      '@Zoe</span> <span class="user-mention" data-user-id="7">@Zoe',
    );
    expect(html('@**Iago|7**')).toBe('<p>@<strong>Iago|7</strong></p>');
  });

  test('silent, quoted and code mentions notify nobody', () => {
    const source =
      '@_**Zoe** `@**Zoe**`\n\n> @**Zoe** @*hamletcharacters* @**all**\n\n```quote\n@**Iago**\n```';
    const {mentions, html: shown} = renderMarkdown(source, world);
    expect(mentions).toEqual({
      userIds: new Set(),
      groupIds: new Set(),
      channelWildcard: false,
      topicWildcard: false,
    });
    expect(shown).toContain('<span class="user-mention silent" data-user-id="9">Iago</span>');
  });

  test('someone who left is mentioned silently', () => {
    expect(html('@**Gone Away**')).toBe(
      '<p><span class="user-mention silent" data-user-id="12">Gone Away</span></p>',
    );
  });

  test('wildcards', () => {
    expect(html('@**all**')).toBe(
      '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>',
    );
    expect(html('@**topic**')).toBe('<p><span class="topic-mention">@topic</span></p>');
    expect(renderMarkdown('@**everyone** @**topic**', world).mentions).toMatchObject({
      channelWildcard: true,
      topicWildcard: true,
    });
  });

  test('groups', () => {
    const rendered = renderMarkdown('@*hamletcharacters* @*nobody*', world);
    expect(rendered.html).toBe(
      '<p><span class="user-group-mention" data-user-group-id="1">@hamletcharacters</span> @<em>nobody</em></p>',
    );
    expect(rendered.mentions.groupIds).toEqual(new Set([1]));
  });

  test('a mention needs a boundary before it', () => {
    expect(html('mail@**Zoe**')).toBe('<p>mail@<strong>Zoe</strong></p>');
    expect(html('(@**Zoe**)')).toContain('data-user-id="7"');
  });
});

describe('channel links', () => {
  test('channel, topic, empty topic and message', () => {
    expect(html('#**Denmark**')).toBe(
      '<p><a class="stream" data-stream-id="1" href="/#narrow/channel/1-Denmark">#Denmark</a></p>',
    );
    expect(html('#**Denmark>some topic.**')).toBe(
      '<p><a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-Denmark/topic/some.20topic.2E">#Denmark &gt; some topic.</a></p>',
    );
    expect(html('#**Denmark>**')).toContain('topic/">#Denmark &gt; <em>general chat</em></a>');
    expect(html('#**Denmark>x@12**')).toBe(
      '<p><a class="message-link" href="/#narrow/channel/1-Denmark/topic/x/near/12">#Denmark &gt; x @ 💬</a></p>',
    );
  });

  test('an unknown channel, or one in another case, is text', () => {
    expect(html('#**denmark**')).toBe('<p>#<strong>denmark</strong></p>');
  });
});

describe('links', () => {
  test('only safe schemes become links', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'JaVaScRiPt:x',
      'java\u0001script:x',
    ]) {
      expect(html(`[x](${url})`)).not.toContain('<a');
    }
    expect(html('[x](mailto:a@b.c)')).toBe('<p><a href="mailto:a@b.c">x</a></p>');
  });

  test('a title, parentheses and an angle form', () => {
    expect(html('[x](http://e.org/a_(b) "say \'hi\'")')).toBe(
      '<p><a href="http://e.org/a_(b)" title="say \'hi\'">x</a></p>',
    );
    expect(html('[x](<http://e.org/a b>)')).toBe('<p><a href="http://e.org/a%20b">x</a></p>');
  });

  test('no scheme means http, an address means mail, a slash means here', () => {
    expect(html('[x](e.org) [y](a@b.org) [z](/help) [w](#settings)')).toBe(
      '<p><a href="http://e.org">x</a> <a href="mailto:a@b.org">y</a> <a href="/help">z</a> <a href="#settings">w</a></p>',
    );
  });

  test('linkifiers apply outside links and code, and share a delimiter', () => {
    const ticket = (id: number) => `<a href="https://trac.example.com/ticket/${id}">#${id}</a>`;
    expect(html('#12 #13, (#14) x#15 `#16` [#17](e.org)')).toBe(
      `<p>${ticket(12)} ${ticket(13)}, (${ticket(14)}) x#15 <code>#16</code> <a href="http://e.org">#17</a></p>`,
    );
  });

  test('topics get links too', () => {
    expect(renderTopicLinks('fix #123 see example.com, https://a.org/b', world)).toEqual([
      {text: '#123', url: 'https://trac.example.com/ticket/123'},
      {text: 'example.com', url: 'https://example.com'},
      {text: 'https://a.org/b', url: 'https://a.org/b'},
    ]);
  });
});

describe('media', () => {
  test('uploads are reported, once each', () => {
    const rendered = renderMarkdown(
      '[a](/user_uploads/2/ab/a.txt) [a](http://zulip.testserver/user_uploads/2/ab/a.txt) ![p](/user_uploads/2/cd/p.png)',
      world,
    );
    expect(rendered.uploads).toEqual(['/user_uploads/2/ab/a.txt', '/user_uploads/2/cd/p.png']);
    expect(rendered).toMatchObject({hasAttachment: true, hasLink: true, hasImage: true});
  });

  test('an image elsewhere is a link after an exclamation mark', () => {
    expect(html('![x](https://e.org/x)')).toBe('<p>!<a href="https://e.org/x">x</a></p>');
  });

  test('an uploaded picture gets a preview only when it is one', () => {
    const uploadedImage = (path: string) =>
      path.endsWith('.png') ? {src: '/thumb.webp', width: 4, height: 3, contentType: 'image/png'} : undefined;
    expect(html('[p](/user_uploads/2/p.png)', {uploadedImage})).toBe(
      '<p><a href="/user_uploads/2/p.png">p</a></p>\n<div class="message_inline_image"><a href="/user_uploads/2/p.png" title="p"><img data-original-content-type="image/png" data-original-dimensions="4x3" src="/thumb.webp"></a></div>',
    );
    expect(html('[p](/user_uploads/2/p.txt)', {uploadedImage})).not.toContain('img');
  });

  test('a YouTube link keeps its text and shows a still', () => {
    const shown = html('https://youtu.be/0c46YHS3RY8', {proxyUrl: (url) => url});
    expect(shown).toContain('<p><a href="https://youtu.be/0c46YHS3RY8">');
    expect(shown).toContain(
      '<div class="youtube-video message_inline_image"><a data-id="0c46YHS3RY8" href="https://youtu.be/0c46YHS3RY8"><img src="https://i.ytimg.com/vi/0c46YHS3RY8/mqdefault.jpg"></a></div>',
    );
  });

  test('previews can be switched off', () => {
    expect(html('https://e.org/a.png', {previewImages: false})).toBe(
      '<p><a href="https://e.org/a.png">https://e.org/a.png</a></p>',
    );
  });
});

describe('emoji', () => {
  test('custom emoji come before the built-in ones', () => {
    expect(html(':green_tick:')).toBe(
      '<p><img alt=":green_tick:" class="emoji" src="/user_avatars/2/emoji/images/1.png" title="green tick"></p>',
    );
    expect(html(':zulip:')).toContain('/static/generated/emoji/images/emoji/unicode/zulip.png');
  });
});

test('a formula KaTeX does not understand is shown as typed', () => {
  expect(html('$$\\frac{1$$')).toBe('<p><span class="tex-error">$$\\frac{1$$</span></p>');
});

test('the text for alert words is what a reader sees', () => {
  expect(renderMarkdown('a **b** `c`\n> d', world).alertText).toBe('a b c\nd');
  expect(renderMarkdown('plain', world).alertText).toBe('plain');
});

test('tables carry their alignment', () => {
  expect(html('a | b\n:- | -:\n1 | `x|y`')).toContain(
    '<td style="text-align: left;">1</td>\n<td style="text-align: right;"><code>x|y</code></td>',
  );
});

import {describe, expect, test} from 'vitest';
import type {HtmlRenderContext} from '#server/markdown/inline-html.ts';
import {renderMarkdown, renderTopicLinks} from '#server/markdown/render.ts';
import {renderCaseContext} from './render-case-context.ts';

const context = renderCaseContext();

function html(source: string, extra: HtmlRenderContext = {}): string {
  return renderMarkdown(source, {...context, ...extra}).html;
}

describe('mentions', () => {
  test('a mention matches a name in any case', () => {
    const rendered = renderMarkdown('hi @**king hamlet**', context);
    expect(rendered.html).toBe('<p>hi <span class="user-mention" data-user-id="10">@King Hamlet</span></p>');
    expect(rendered.mentions.userIds).toEqual(new Set([10]));
  });

  test('a mention with an id must have that user’s name or none', () => {
    expect(html('@**Zoe|7** @**|7**')).toContain('@Zoe</span> <span class="user-mention" data-user-id="7">@Zoe');
    expect(html('@**Iago|7**')).toBe('<p>@<strong>Iago|7</strong></p>');
  });

  test('silent, quoted and code mentions are not in the result', () => {
    const source = '@_**Zoe** `@**Zoe**`\n\n> @**Zoe** @*hamletcharacters* @**all**\n\n```quote\n@**Iago**\n```';
    const {mentions, html: rendered} = renderMarkdown(source, context);
    expect(mentions).toEqual({
      userIds: new Set(),
      groupIds: new Set(),
      channelWildcard: false,
      topicWildcard: false,
    });
    expect(rendered).toContain('<span class="user-mention silent" data-user-id="9">Iago</span>');
  });

  test('a mention of a deactivated user is silent', () => {
    expect(html('@**Gone Away**')).toBe('<p><span class="user-mention silent" data-user-id="12">Gone Away</span></p>');
  });

  test('wildcard mentions of the channel and the topic are rendered and reported', () => {
    expect(html('@**all**')).toBe(
      '<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>',
    );
    expect(html('@**topic**')).toBe('<p><span class="topic-mention">@topic</span></p>');
    expect(renderMarkdown('@**everyone** @**topic**', context).mentions).toMatchObject({
      channelWildcard: true,
      topicWildcard: true,
    });
  });

  test('a mention of a known group is rendered and reported, of an unknown one is text', () => {
    const rendered = renderMarkdown('@*hamletcharacters* @*nobody*', context);
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
  test('links to a channel, a topic, the empty topic and a message are rendered', () => {
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

  test('a channel name in another case is text', () => {
    expect(html('#**denmark**')).toBe('<p>#<strong>denmark</strong></p>');
  });
});

describe('links', () => {
  test('only safe schemes become links', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'JaVaScRiPt:x', 'java\u0001script:x']) {
      expect(html(`[x](${url})`)).not.toContain('<a');
    }
    expect(html('[x](mailto:a@b.c)')).toBe('<p><a href="mailto:a@b.c">x</a></p>');
  });

  test('a link may have a title, parentheses in the URL, and angle brackets', () => {
    expect(html('[x](http://e.org/a_(b) "say \'hi\'")')).toBe(
      '<p><a href="http://e.org/a_(b)" title="say \'hi\'">x</a></p>',
    );
    expect(html('[x](<http://e.org/a b>)')).toBe('<p><a href="http://e.org/a%20b">x</a></p>');
  });

  test('a target without a scheme becomes http, mailto or a path on this server', () => {
    expect(html('[x](e.org) [y](a@b.org) [z](/help) [w](#settings)')).toBe(
      '<p><a href="http://e.org">x</a> <a href="mailto:a@b.org">y</a> <a href="/help">z</a> <a href="#settings">w</a></p>',
    );
  });

  test('linkifiers apply outside links and code, and neighbours may share a delimiter', () => {
    const ticket = (id: number) => `<a href="https://trac.example.com/ticket/${id}">#${id}</a>`;
    expect(html('#12 #13, (#14) x#15 `#16` [#17](e.org)')).toBe(
      `<p>${ticket(12)} ${ticket(13)}, (${ticket(14)}) x#15 <code>#16</code> <a href="http://e.org">#17</a></p>`,
    );
  });

  test('renderTopicLinks finds linkifier matches and URLs', () => {
    expect(renderTopicLinks('fix #123 see example.com, https://a.org/b', context)).toEqual([
      {text: '#123', url: 'https://trac.example.com/ticket/123'},
      {text: 'example.com', url: 'https://example.com'},
      {text: 'https://a.org/b', url: 'https://a.org/b'},
    ]);
  });
});

describe('media', () => {
  test('each linked upload is reported once, and once more for an inline image', () => {
    const rendered = renderMarkdown(
      '[a](/user_uploads/2/ab/a.txt) [a](http://zulip.testserver/user_uploads/2/ab/a.txt) ![p](/user_uploads/2/cd/kT9sPq3xW_mE7uYb/p.png)',
      context,
    );
    const image = '/user_uploads/2/cd/kT9sPq3xW_mE7uYb/p.png';
    expect(rendered.uploads).toEqual(['/user_uploads/2/ab/a.txt', image, image]);
    expect(rendered).toMatchObject({hasAttachment: true, hasLink: true, hasImage: true});
  });

  test('an image of another site stays text with a link in it', () => {
    expect(html('![x](https://e.org/x)')).toBe('<p>![x](<a href="https://e.org/x">https://e.org/x</a>)</p>');
  });

  test('an upload gets a preview only when it is an image', () => {
    const uploadedImage = (path: string) =>
      path.endsWith('.png') ? {src: '/thumb.webp', width: 4, height: 3, contentType: 'image/png'} : undefined;
    expect(html('[p](/user_uploads/2/p.png)', {uploadedImage})).toBe(
      '<p><a href="/user_uploads/2/p.png">p</a></p>\n<div class="message_inline_image"><a href="/user_uploads/2/p.png" title="p"><img data-original-content-type="image/png" data-original-dimensions="4x3" src="/thumb.webp"></a></div>',
    );
    expect(html('[p](/user_uploads/2/p.txt)', {uploadedImage})).not.toContain('img');
  });

  test('a YouTube link stays and gets a preview image', () => {
    const rendered = html('https://youtu.be/0c46YHS3RY8', {proxyUrl: (url) => url});
    expect(rendered).toContain('<p><a href="https://youtu.be/0c46YHS3RY8">');
    expect(rendered).toContain(
      '<div class="youtube-video message_inline_image"><a data-id="0c46YHS3RY8" href="https://youtu.be/0c46YHS3RY8"><img src="https://i.ytimg.com/vi/0c46YHS3RY8/mqdefault.jpg"></a></div>',
    );
  });

  test('without previewImages there are no previews', () => {
    expect(html('https://e.org/a.png', {previewImages: false})).toBe(
      '<p><a href="https://e.org/a.png">https://e.org/a.png</a></p>',
    );
  });
});

describe('emoji', () => {
  test('custom emoji and the built-in zulip emoji are rendered as images', () => {
    expect(html(':green_tick:')).toBe(
      '<p><img alt=":green_tick:" class="emoji" src="/user_avatars/2/emoji/images/1.png" title="green tick"></p>',
    );
    expect(html(':zulip:')).toContain('/static/generated/emoji/images/emoji/unicode/zulip.png');
  });
});

test('a formula that KaTeX cannot parse is shown as source', () => {
  expect(html('$$\\frac{1$$')).toBe('<p><span class="tex-error">$$\\frac{1$$</span></p>');
});

test('alertText is the visible text', () => {
  expect(renderMarkdown('a **b** `c`\n> d', context).alertText).toBe('a b c\nd');
  expect(renderMarkdown('plain', context).alertText).toBe('plain');
});

test('table cells have the alignment of their column', () => {
  expect(html('a | b\n:- | -:\n1 | `x|y`')).toContain(
    '<td style="text-align: left;">1</td>\n<td style="text-align: right;"><code>x|y</code></td>',
  );
});

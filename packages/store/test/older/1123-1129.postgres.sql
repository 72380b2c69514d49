SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
COMMENT ON EXTENSION pg_trgm IS 'text similarity measurement and index searching based on trigrams';
CREATE FUNCTION public.broadsheet_notify() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
    begin
      perform pg_notify('broadsheet', left(coalesce(new.blog_id, old.blog_id), 1900));
      return null;
    end $$;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.ad_counts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    ad_id text NOT NULL COLLATE pg_catalog."C",
    impressions bigint DEFAULT 0 NOT NULL,
    clicks bigint DEFAULT 0 NOT NULL,
    viewable bigint DEFAULT 0 NOT NULL,
    unknown_impressions bigint DEFAULT 0 NOT NULL,
    bot_impressions bigint DEFAULT 0 NOT NULL,
    prefetch_impressions bigint DEFAULT 0 NOT NULL,
    foreign_impressions bigint DEFAULT 0 NOT NULL,
    burst_impressions bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.ads (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    format text NOT NULL COLLATE pg_catalog."C",
    priority bigint NOT NULL,
    active bigint NOT NULL,
    starts_at text COLLATE pg_catalog."C",
    ends_at text COLLATE pg_catalog."C",
    image_url text COLLATE pg_catalog."C",
    link_url text COLLATE pg_catalog."C",
    title text COLLATE pg_catalog."C",
    content text COLLATE pg_catalog."C",
    link_text text COLLATE pg_catalog."C",
    campaign_id text COLLATE pg_catalog."C"
);
CREATE TABLE public.api_keys (
    key_hash text NOT NULL COLLATE pg_catalog."C",
    blog_id text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.blogs (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    domains text NOT NULL COLLATE pg_catalog."C",
    time_zone text COLLATE pg_catalog."C",
    revision text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL
);
CREATE TABLE public.campaign_counts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    impressions bigint DEFAULT 0 NOT NULL,
    excluded bigint DEFAULT 0 NOT NULL,
    viewable bigint DEFAULT 0 NOT NULL,
    clicks bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.campaigns (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.counted_clicks (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    ad_id text NOT NULL COLLATE pg_catalog."C",
    visitor text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL
);
CREATE TABLE public.deliveries (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    key_hash text NOT NULL COLLATE pg_catalog."C",
    request_hash text NOT NULL COLLATE pg_catalog."C",
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    ads text NOT NULL COLLATE pg_catalog."C",
    excluded bigint NOT NULL,
    at bigint NOT NULL
);
CREATE TABLE public.hour_counts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    place bigint NOT NULL,
    hour bigint NOT NULL,
    deliveries bigint NOT NULL
);
CREATE TABLE public.images (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    part bigint NOT NULL,
    extension text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    bytes bytea NOT NULL
);
CREATE TABLE public.invitations (
    token_hash text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.labels (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    sort_name text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    posts bigint NOT NULL
);
CREATE TABLE public.leases (
    name text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    beat bigint NOT NULL
);
CREATE TABLE public.management_tokens (
    token_hash text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    blog_id text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint,
    used_at bigint
);
CREATE TABLE public.panel_log (
    id text NOT NULL COLLATE pg_catalog."C",
    at text NOT NULL COLLATE pg_catalog."C",
    who text NOT NULL COLLATE pg_catalog."C",
    blog_id text COLLATE pg_catalog."C",
    what text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.panel_sessions (
    token_hash text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.people (
    name text NOT NULL COLLATE pg_catalog."C",
    role text NOT NULL COLLATE pg_catalog."C",
    blog_id text COLLATE pg_catalog."C",
    invited_at text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.placement_counts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    placement text NOT NULL COLLATE pg_catalog."C",
    ad_id text NOT NULL COLLATE pg_catalog."C",
    slots bigint DEFAULT 0 NOT NULL,
    excluded bigint DEFAULT 0 NOT NULL,
    viewable bigint DEFAULT 0 NOT NULL,
    clicks bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.placements (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    placement text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.post_labels (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    label_id text NOT NULL COLLATE pg_catalog."C",
    post_id text NOT NULL COLLATE pg_catalog."C",
    sort_key text COLLATE pg_catalog."C"
);
CREATE TABLE public.post_texts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    post_id text NOT NULL COLLATE pg_catalog."C",
    sort_key text NOT NULL COLLATE pg_catalog."C",
    text text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.post_texts ALTER COLUMN text SET STATISTICS 1000;
CREATE TABLE public.posts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL COLLATE pg_catalog."C",
    subtitle text NOT NULL COLLATE pg_catalog."C",
    slug text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    published_at text COLLATE pg_catalog."C",
    scheduled_at text COLLATE pg_catalog."C",
    author_id text NOT NULL COLLATE pg_catalog."C",
    cover_url text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    updated_at text NOT NULL COLLATE pg_catalog."C",
    sort_key text NOT NULL COLLATE pg_catalog."C",
    fold_title text NOT NULL COLLATE pg_catalog."C",
    json text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.recycle_bin (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    deleted_at bigint NOT NULL,
    title text NOT NULL COLLATE pg_catalog."C",
    json text NOT NULL COLLATE pg_catalog."C",
    cover_url text COLLATE pg_catalog."C"
);
CREATE TABLE public.report_links (
    token_hash text NOT NULL COLLATE pg_catalog."C",
    blog_id text NOT NULL COLLATE pg_catalog."C",
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint
);
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.secrets (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.uploads (
    session_hash text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    part bigint NOT NULL,
    expires_at bigint NOT NULL,
    content text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.used_tokens (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.viewed_tokens (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.webhook_messages (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    hook_id text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    body text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    next_at bigint,
    attempts text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.webhooks (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    types text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    old_secret text COLLATE pg_catalog."C",
    old_until bigint,
    created_at text NOT NULL COLLATE pg_catalog."C",
    gone_at text COLLATE pg_catalog."C"
);
INSERT INTO public.ad_counts VALUES ('magazine', '2026-11-28', '22222222-2222-4222-8222-222222222222', 3, 0, 0, 0, 1, 0, 0, 0);
INSERT INTO public.ad_counts VALUES ('magazine', '2026-11-28', '11111111-1111-4111-8111-111111111111', 4, 1, 0, 0, 1, 0, 0, 0);
INSERT INTO public.ads VALUES ('magazine', '11111111-1111-4111-8111-111111111111', 'BANNER', 5, 1, NULL, NULL, 'https://tea.example/a.png', 'https://tea.example/', 'Tea', NULL, NULL, 'k1');
INSERT INTO public.ads VALUES ('magazine', '22222222-2222-4222-8222-222222222222', 'SIDEBAR', 1, 1, NULL, NULL, NULL, 'https://free.example/', 'Free', NULL, NULL, NULL);
INSERT INTO public.ads VALUES ('magazine', '33333333-3333-4333-8333-333333333333', 'POPUP', 1, 0, NULL, NULL, NULL, 'https://paused.example/', 'Paused', NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('a10304fb3999967f9d9ba39f8ca6d3eb4787248694a682d1d93f3840e1bd4c67', 'magazine', '2026-11-28T18:29:49.827Z', NULL);
INSERT INTO public.api_keys VALUES ('01bdb55ddb2890104a7bda689bc526c43281f13fa63b57e93b55b0e6fe453dd6', 'magazine', '2026-11-28T18:29:51.431Z', NULL);
INSERT INTO public.blogs VALUES ('magazine', 'Magazine', '[]', 'Europe/Berlin', 'a5e897c0-f237-4486-9b95-ed5728caf1c7', 1);
INSERT INTO public.campaign_counts VALUES ('magazine', 'k1', '2026-11-28', 3, 1, 0, 1);
INSERT INTO public.campaigns VALUES ('magazine', 'k1', '{"id":"k1","sponsor":"Tea Ltd","name":"Tea","kind":"paid","startsAt":null,"endsAt":null,"goal":{"impressions":1000},"perDay":500,"pace":"even"}');
INSERT INTO public.counted_clicks VALUES ('magazine', '11111111-1111-4111-8111-111111111111', 'wNeLbHjA_JWotex2yJ_si0', 1795890610074);
INSERT INTO public.deliveries VALUES ('magazine', '0123456789abcdef 0X1CRcJHoozgqrbOzi_xjagcIE-8Tfn6z8njz7zkNw0', 'OqtFRFMsoKcngOedhpRb9la0amzewcJcfmp_8cHwSgQ', '93832318-3f54-4c2d-81df-d971b9d0e570', '["11111111-1111-4111-8111-111111111111","22222222-2222-4222-8222-222222222222",null]', 0, 1795890609010);
INSERT INTO public.hour_counts VALUES ('magazine', 234, 498858, 4);
INSERT INTO public.invitations VALUES ('9291de226c72abe909c7e9c26ac90a90b7e552f1eb1c9fbb6dd2a8cf0f6e4cca', 'ann', 1795894194216);
INSERT INTO public.invitations VALUES ('fe97d4518dda80f2405750425efdbe8bf4996865b980a9a64b8b447400980b02', 'ben', 1795894196523);
INSERT INTO public.labels VALUES ('magazine', 'category', 'c1', 'Äpfel', 'apfel', 'Obst', '2026-11-28T18:29:49.827Z', '2026-11-28T18:29:49.827Z', 2);
INSERT INTO public.labels VALUES ('magazine', 'tag', 't1', 'red', 'red', '', '2026-11-28T18:29:49.827Z', '2026-11-28T18:29:49.827Z', 1);
INSERT INTO public.leases VALUES ('webhooks', '', 2);
INSERT INTO public.management_tokens VALUES ('d1fa45bdd03f87161486853ebdaa859347f2a27d8114f204ab119864538523ba', 'ci', 'all', NULL, '2026-11-28T18:29:52.425Z', NULL, NULL);
INSERT INTO public.panel_log VALUES ('cd01ecd2-81f4-4850-ba0a-bc1a4d2ad043', '2026-11-28T18:29:52.573Z', 'command line', NULL, 'created the token ci (all)');
INSERT INTO public.panel_log VALUES ('bfc19ad0-1f80-44da-b147-809becb0a5c8', '2026-11-28T18:29:54.570Z', 'command line', 'magazine', 'invited ann (manage)');
INSERT INTO public.panel_log VALUES ('90cdc49e-96f7-4816-be3f-ffd66c8f40b2', '2026-11-28T18:29:56.987Z', 'command line', NULL, 'invited ben (view)');
INSERT INTO public.panel_log VALUES ('c59ac2a9-a005-4899-bb4c-f89b5623c4b1', '2026-11-28T18:30:05.766Z', 'command line', 'magazine', 'shared the report of the campaign “Tea”');
INSERT INTO public.people VALUES ('ann', 'manage', 'magazine', '2026-11-28T18:29:54.216Z');
INSERT INTO public.people VALUES ('ben', 'view', NULL, '2026-11-28T18:29:56.523Z');
INSERT INTO public.placement_counts VALUES ('magazine', '2026-11-28', 'pop', '', 3, 0, 0, 0);
INSERT INTO public.placement_counts VALUES ('magazine', '2026-11-28', 'side', '22222222-2222-4222-8222-222222222222', 3, 1, 0, 0);
INSERT INTO public.placement_counts VALUES ('magazine', '2026-11-28', 'top', '11111111-1111-4111-8111-111111111111', 3, 1, 0, 1);
INSERT INTO public.placements VALUES ('magazine', '2026-11-28', 1, 'pop');
INSERT INTO public.placements VALUES ('magazine', '2026-11-28', 2, 'side');
INSERT INTO public.placements VALUES ('magazine', '2026-11-28', 3, 'top');
INSERT INTO public.post_labels VALUES ('magazine', 'category', 'c1', 'p1', '063934531200000:p1');
INSERT INTO public.post_labels VALUES ('magazine', 'tag', 't1', 'p1', '063934531200000:p1');
INSERT INTO public.post_labels VALUES ('magazine', 'category', 'c1', 'p2', '063934617600000:p2');
INSERT INTO public.post_texts VALUES ('magazine', 'p1', '063934531200000:p1', 'creme brulee
dessert');
INSERT INTO public.post_texts VALUES ('magazine', 'p2', '063934617600000:p2', 'second apple
');
INSERT INTO public.posts VALUES ('magazine', 'p3', 'Draft', '', 'draft', 'DRAFT', NULL, NULL, '', NULL, '2026-11-28T18:29:49.827Z', '2026-11-28T18:29:49.827Z', '-:p3', 'draft', '{"id":"p3","title":"Draft","subtitle":"","content":"three","slug":"draft","status":"DRAFT","publishedAt":null,"scheduledAt":null,"authorId":"","blogId":"magazine","createdAt":"2026-11-28T18:29:49.827Z","updatedAt":"2026-11-28T18:29:49.827Z","categories":[],"tags":[]}');
INSERT INTO public.posts VALUES ('magazine', 'p1', 'Crème brûlée', 'Dessert', 'Creme-Brulee', 'PUBLISHED', '2026-01-02T00:00:00.000Z', NULL, '', NULL, '2026-11-28T18:29:49.827Z', '2026-11-28T18:29:49.827Z', '063934531200000:p1', 'creme brulee', '{"id":"p1","title":"Crème brûlée","subtitle":"Dessert","content":"<p>one</p>","slug":"Creme-Brulee","status":"PUBLISHED","publishedAt":"2026-01-02T00:00:00.000Z","scheduledAt":null,"authorId":"","blogId":"magazine","createdAt":"2026-11-28T18:29:49.827Z","updatedAt":"2026-11-28T18:29:49.827Z","categories":[{"id":"c1","name":"Äpfel","description":"Obst","blogId":"magazine"}],"tags":[{"id":"t1","name":"red","blogId":"magazine"}]}');
INSERT INTO public.posts VALUES ('magazine', 'p2', 'Second apple', '', 'second', 'PUBLISHED', '2026-01-03T00:00:00.000Z', NULL, '', NULL, '2026-11-28T18:29:49.827Z', '2026-11-28T18:29:49.827Z', '063934617600000:p2', 'second apple', '{"id":"p2","title":"Second apple","subtitle":"","content":"two","slug":"second","status":"PUBLISHED","publishedAt":"2026-01-03T00:00:00.000Z","scheduledAt":null,"authorId":"","blogId":"magazine","createdAt":"2026-11-28T18:29:49.827Z","updatedAt":"2026-11-28T18:29:49.827Z","categories":[{"id":"c1","name":"Äpfel","description":"Obst","blogId":"magazine"}],"tags":[]}');
INSERT INTO public.recycle_bin VALUES ('magazine', 'post', 'p4', 1795890603391, 'To delete', '{"id":"p4","title":"To delete","subtitle":"","content":"four","slug":"gone","status":"PUBLISHED","publishedAt":"2026-01-04T00:00:00.000Z","scheduledAt":null,"authorId":"","blogId":"magazine","createdAt":"2026-11-28T18:29:49.827Z","updatedAt":"2026-11-28T18:29:49.827Z","categories":[],"tags":[]}', NULL);
INSERT INTO public.report_links VALUES ('8d3ee220d2611065a7331afb19b0b75f41ff3a19e1ed63082e229934b73b2013', 'magazine', 'k1', '2026-11-28T18:30:05.720Z', NULL);
INSERT INTO public.schema_version VALUES (1);
INSERT INTO public.secrets VALUES ('signing', '7EcSiVl2z2TcGjs02taxgeq7b15B2GAlqNVE-B3FSzo');
INSERT INTO public.used_tokens VALUES ('magazine', '93832318-3f54-4c2d-81df-d971b9d0e570.0', 1795891209000);
INSERT INTO public.used_tokens VALUES ('magazine', '3a5da856-28a1-4377-97ca-061f1622d601.0', 1795891209000);
INSERT INTO public.webhook_messages VALUES ('magazine', 'msg_6ede03e5-aab2-4ebb-b44c-171a1acb6dc5', 'cf946de2ee04', 'post p4', 1, '{"type":"post.removed","timestamp":"2026-11-28T18:30:03.474Z","data":{"id":"p4","slug":"gone","tags":["posts","post:p4","post:slug:gone"],"revision":"a5e897c0-f237-4486-9b95-ed5728caf1c7"}}', '2026-11-28T18:30:03.474Z', 1795890615393, '[{"at":"2026-11-28T18:30:10.308Z","duration":85,"text":"getaddrinfo ENOTFOUND hook.example"}]');
INSERT INTO public.webhooks VALUES ('magazine', 'cf946de2ee04', 'https://hook.example/x', '["post.published","post.updated","post.removed","label.changed","ads.changed"]', 'whsec_/51pSnCYFhBdwHD+GwP6PRXI7hGweHs8icG/0CpbJRA=', 'whsec_fircSZfHJTtUsBGbdZSzrKfcDZZ86gzxiulkJJc+2w8=', 1795977000332, '2026-11-28T18:29:58.410Z', NULL);
ALTER TABLE ONLY public.ad_counts
    ADD CONSTRAINT ad_counts_pkey PRIMARY KEY (blog_id, day, ad_id);
ALTER TABLE ONLY public.ads
    ADD CONSTRAINT ads_pkey PRIMARY KEY (blog_id, id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (key_hash);
ALTER TABLE ONLY public.blogs
    ADD CONSTRAINT blogs_pkey PRIMARY KEY (blog_id);
ALTER TABLE ONLY public.campaign_counts
    ADD CONSTRAINT campaign_counts_pkey PRIMARY KEY (blog_id, campaign_id, day);
ALTER TABLE ONLY public.campaigns
    ADD CONSTRAINT campaigns_pkey PRIMARY KEY (blog_id, id);
ALTER TABLE ONLY public.counted_clicks
    ADD CONSTRAINT counted_clicks_pkey PRIMARY KEY (blog_id, ad_id, visitor);
ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (blog_id, key_hash);
ALTER TABLE ONLY public.hour_counts
    ADD CONSTRAINT hour_counts_pkey PRIMARY KEY (blog_id, place);
ALTER TABLE ONLY public.images
    ADD CONSTRAINT images_pkey PRIMARY KEY (blog_id, hash, part);
ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.labels
    ADD CONSTRAINT labels_pkey PRIMARY KEY (blog_id, kind, id);
ALTER TABLE ONLY public.leases
    ADD CONSTRAINT leases_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.management_tokens
    ADD CONSTRAINT management_tokens_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.panel_log
    ADD CONSTRAINT panel_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.panel_sessions
    ADD CONSTRAINT panel_sessions_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.people
    ADD CONSTRAINT people_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.placement_counts
    ADD CONSTRAINT placement_counts_pkey PRIMARY KEY (blog_id, day, placement, ad_id);
ALTER TABLE ONLY public.placements
    ADD CONSTRAINT placements_pkey PRIMARY KEY (blog_id, day, number);
ALTER TABLE ONLY public.post_labels
    ADD CONSTRAINT post_labels_pkey PRIMARY KEY (blog_id, kind, label_id, post_id);
ALTER TABLE ONLY public.post_texts
    ADD CONSTRAINT post_texts_pkey PRIMARY KEY (blog_id, post_id);
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_pkey PRIMARY KEY (blog_id, id);
ALTER TABLE ONLY public.recycle_bin
    ADD CONSTRAINT recycle_bin_pkey PRIMARY KEY (blog_id, kind, id, deleted_at);
ALTER TABLE ONLY public.report_links
    ADD CONSTRAINT report_links_pkey PRIMARY KEY (token_hash);
ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.uploads
    ADD CONSTRAINT uploads_pkey PRIMARY KEY (session_hash, name, part);
ALTER TABLE ONLY public.used_tokens
    ADD CONSTRAINT used_tokens_pkey PRIMARY KEY (blog_id, token_id);
ALTER TABLE ONLY public.viewed_tokens
    ADD CONSTRAINT viewed_tokens_pkey PRIMARY KEY (blog_id, token_id);
ALTER TABLE ONLY public.webhook_messages
    ADD CONSTRAINT webhook_messages_pkey PRIMARY KEY (blog_id, id);
ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (blog_id, id);
CREATE INDEX api_keys_of_blog ON public.api_keys USING btree (blog_id);
CREATE INDEX counted_clicks_by_age ON public.counted_clicks USING btree (at);
CREATE INDEX deliveries_by_age ON public.deliveries USING btree (at);
CREATE INDEX images_by_hash ON public.images USING btree (hash, part);
CREATE UNIQUE INDEX management_tokens_by_name ON public.management_tokens USING btree (name);
CREATE INDEX panel_log_by_time ON public.panel_log USING btree (at);
CREATE UNIQUE INDEX placements_by_name ON public.placements USING btree (blog_id, day, placement);
CREATE INDEX post_labels_in_order ON public.post_labels USING btree (blog_id, kind, label_id, sort_key) WHERE (sort_key IS NOT NULL);
CREATE INDEX post_labels_of_post ON public.post_labels USING btree (blog_id, post_id);
CREATE INDEX post_texts_by_trigram ON public.post_texts USING gin (text public.gin_trgm_ops);
CREATE INDEX post_texts_in_order ON public.post_texts USING btree (blog_id, sort_key);
CREATE INDEX posts_by_slug ON public.posts USING btree (blog_id, slug);
CREATE INDEX posts_due ON public.posts USING btree (blog_id, scheduled_at) WHERE (status = 'SCHEDULED'::text);
CREATE INDEX posts_in_order ON public.posts USING btree (blog_id, sort_key) WHERE (status = 'PUBLISHED'::text);
CREATE INDEX recycle_bin_by_age ON public.recycle_bin USING btree (deleted_at);
CREATE INDEX report_links_of_campaign ON public.report_links USING btree (blog_id, campaign_id);
CREATE INDEX used_tokens_by_age ON public.used_tokens USING btree (expires_at);
CREATE INDEX viewed_tokens_by_age ON public.viewed_tokens USING btree (expires_at);
CREATE INDEX webhook_messages_by_age ON public.webhook_messages USING btree (created_at);
CREATE INDEX webhook_messages_due ON public.webhook_messages USING btree (next_at, seq) WHERE (next_at IS NOT NULL);
CREATE INDEX webhook_messages_in_order ON public.webhook_messages USING btree (blog_id, seq);
CREATE INDEX webhook_messages_waiting ON public.webhook_messages USING btree (blog_id, hook_id, subject, seq) WHERE (next_at IS NOT NULL);
CREATE TRIGGER api_keys_notify AFTER INSERT OR DELETE OR UPDATE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.broadsheet_notify();
CREATE TRIGGER blogs_notify AFTER INSERT OR DELETE OR UPDATE ON public.blogs FOR EACH ROW EXECUTE FUNCTION public.broadsheet_notify();

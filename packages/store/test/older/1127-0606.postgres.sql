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
    campaign_id text COLLATE pg_catalog."C",
    name text COLLATE pg_catalog."C",
    created_at text COLLATE pg_catalog."C"
);
CREATE TABLE public.api_keys (
    key_hash text NOT NULL COLLATE pg_catalog."C",
    blog_id text NOT NULL COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    revoked_at text COLLATE pg_catalog."C",
    label text COLLATE pg_catalog."C",
    start text COLLATE pg_catalog."C",
    used_at bigint
);
CREATE TABLE public.blogs (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    domains text NOT NULL COLLATE pg_catalog."C",
    time_zone text COLLATE pg_catalog."C",
    publisher text COLLATE pg_catalog."C",
    revision text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.campaign_counts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    impressions bigint DEFAULT 0 NOT NULL,
    clicks bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.campaigns (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    json text NOT NULL COLLATE pg_catalog."C",
    plan text COLLATE pg_catalog."C"
);
CREATE TABLE public.counted_clicks (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    ad_id text NOT NULL COLLATE pg_catalog."C",
    visitor text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL
);
CREATE TABLE public.counts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    ad_id text NOT NULL COLLATE pg_catalog."C",
    campaign_id text NOT NULL COLLATE pg_catalog."C",
    placement text NOT NULL COLLATE pg_catalog."C",
    traffic text NOT NULL COLLATE pg_catalog."C",
    delivered bigint DEFAULT 0 NOT NULL,
    viewable bigint DEFAULT 0 NOT NULL,
    clicks bigint DEFAULT 0 NOT NULL
);
CREATE TABLE public.deliveries (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    key_hash text NOT NULL COLLATE pg_catalog."C",
    request_hash text NOT NULL COLLATE pg_catalog."C",
    delivery_id text NOT NULL COLLATE pg_catalog."C",
    ads text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    traffic text NOT NULL COLLATE pg_catalog."C",
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
    role text NOT NULL COLLATE pg_catalog."C",
    blog_id text COLLATE pg_catalog."C",
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
    expires_at bigint,
    shows_pace bigint DEFAULT 0 NOT NULL
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
    attempts text NOT NULL COLLATE pg_catalog."C",
    tried_at bigint
);
CREATE TABLE public.webhooks (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    types text NOT NULL COLLATE pg_catalog."C",
    secret text NOT NULL COLLATE pg_catalog."C",
    old_secrets text COLLATE pg_catalog."C",
    created_at text NOT NULL COLLATE pg_catalog."C",
    gone_at text COLLATE pg_catalog."C",
    succeeded_at bigint
);
INSERT INTO public.ads VALUES ('magazine', '11111111-1111-4111-8111-111111111111', 'BANNER', 5, 1, NULL, NULL, 'https://tea.example/a.png', 'https://tea.example/', 'Tea', NULL, NULL, 'k1', NULL, NULL);
INSERT INTO public.ads VALUES ('magazine', '22222222-2222-4222-8222-222222222222', 'SIDEBAR', 1, 1, NULL, NULL, NULL, 'https://free.example/', 'Free', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.ads VALUES ('magazine', '33333333-3333-4333-8333-333333333333', 'POPUP', 1, 0, NULL, NULL, NULL, 'https://paused.example/', 'Paused', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.api_keys VALUES ('6eab8147c6f255ec4d46698b76a216fdbc95369e3069d9c2dc2265442062370a', 'magazine', '2026-11-28T18:30:20.232Z', NULL, NULL, 'bs_U_Mc5', NULL);
INSERT INTO public.api_keys VALUES ('7afdc513a180b5a3e55650d51942e01b20f339aee0e528848224d2c22b55094c', 'magazine', '2026-11-28T18:30:22.685Z', NULL, NULL, 'bs_riOlv', 1795890638338);
INSERT INTO public.blogs VALUES ('magazine', 'Magazine', '[]', 'Europe/Berlin', NULL, '3552c0a4-1ae0-48da-9383-a2da230137b8');
INSERT INTO public.campaign_counts VALUES ('magazine', 'k1', '2026-11-28', 3, 1);
INSERT INTO public.campaigns VALUES ('magazine', 'k1', '{"id":"k1","sponsor":"Tea Ltd","name":"Tea","kind":"paid","startsAt":null,"endsAt":null,"goal":{"impressions":1000},"perDay":500,"pace":"even"}', NULL);
INSERT INTO public.counted_clicks VALUES ('magazine', '11111111-1111-4111-8111-111111111111', 'B1VLnEytxykxf6QsBgHtl9', 1795890638871);
INSERT INTO public.counts VALUES ('magazine', '2026-11-28', '', '', 'pop', 'valid', 2, 0, 0);
INSERT INTO public.counts VALUES ('magazine', '2026-11-28', '22222222-2222-4222-8222-222222222222', '', 'side', 'valid', 2, 0, 0);
INSERT INTO public.counts VALUES ('magazine', '2026-11-28', '', '', 'pop', 'bot', 1, 0, 0);
INSERT INTO public.counts VALUES ('magazine', '2026-11-28', '11111111-1111-4111-8111-111111111111', 'k1', 'top', 'bot', 1, 0, 0);
INSERT INTO public.counts VALUES ('magazine', '2026-11-28', '22222222-2222-4222-8222-222222222222', '', 'side', 'bot', 1, 0, 0);
INSERT INTO public.counts VALUES ('magazine', '2026-11-28', '11111111-1111-4111-8111-111111111111', 'k1', '', 'valid', 1, 0, 0);
INSERT INTO public.counts VALUES ('magazine', '2026-11-28', '11111111-1111-4111-8111-111111111111', 'k1', 'top', 'valid', 2, 0, 1);
INSERT INTO public.deliveries VALUES ('magazine', '0123456789abcdef YyCqanvxbrAuarr1ekrCm7LPMXDxjVYRlSHXueTCJk8', 'TQn6GlyXmMvfVasw7S1aXN5nl8mvmlSfzQE1L_SNYZ4', '59a6b6cc-5f4d-4503-a02a-5e861c568073', '{"adIds":["11111111-1111-4111-8111-111111111111","22222222-2222-4222-8222-222222222222",null],"campaigns":{"11111111-1111-4111-8111-111111111111":"k1"}}', '2026-11-28', 'valid', 1795890638344);
INSERT INTO public.hour_counts VALUES ('magazine', 234, 498858, 3);
INSERT INTO public.invitations VALUES ('d8f07abbe445ebbc1a4cfa79be7919420e1a892a8773a1a13bc337a66f42c8c2', 'ann', 'manage', 'magazine', 1795894226663);
INSERT INTO public.invitations VALUES ('20e3a64715c1deca63ffdfda4bdc7e0b7bdb4f52502be8102e37aea89e9fb72d', 'ben', 'view', NULL, 1795894229114);
INSERT INTO public.labels VALUES ('magazine', 'category', 'c1', 'Äpfel', 'apfel', 'Obst', '2026-11-28T18:30:20.232Z', '2026-11-28T18:30:20.232Z', 2);
INSERT INTO public.labels VALUES ('magazine', 'tag', 't1', 'red', 'red', '', '2026-11-28T18:30:20.232Z', '2026-11-28T18:30:20.232Z', 1);
INSERT INTO public.leases VALUES ('webhooks', '', 1);
INSERT INTO public.management_tokens VALUES ('09cbebc3cdbb4b11959276d973330314f3278b2b40fa4b4351c05b3b0a116c44', 'ci', 'all', NULL, '2026-11-28T18:30:25.064Z', NULL, NULL);
INSERT INTO public.panel_log VALUES ('193dfe18-c0b0-41ae-b3d4-40a6125f097f', '2026-11-28T18:30:20.232Z', 'command line', 'magazine', 'imported 4 posts, 4 of them new, 1 categories, 1 tags, 3 ads, 1 campaigns; changed the blog, name, time zone');
INSERT INTO public.panel_log VALUES ('83207d9b-8a6a-4fbc-83e1-963a39027201', '2026-11-28T18:30:22.685Z', 'command line', 'magazine', 'created the key 7afdc513a180');
INSERT INTO public.panel_log VALUES ('b9d14d6d-0051-4b02-a30a-bb2869ebe763', '2026-11-28T18:30:25.064Z', 'command line', NULL, 'created the token ci (all)');
INSERT INTO public.panel_log VALUES ('ec53852e-398b-4472-bc61-e562556b884a', '2026-11-28T18:30:26.663Z', 'command line', 'magazine', 'invited ann (manage, magazine)');
INSERT INTO public.panel_log VALUES ('d5eb2079-cbdb-4531-a882-474947cc2ee4', '2026-11-28T18:30:29.114Z', 'command line', NULL, 'invited ben (view, all blogs)');
INSERT INTO public.panel_log VALUES ('3f326e4d-279b-43f6-aa10-637b066452be', '2026-11-28T18:30:30.613Z', 'command line', 'magazine', 'added the webhook 5a2829b9c83d to https://hook.example');
INSERT INTO public.panel_log VALUES ('3f5d1389-f802-45e6-a5c8-c6770e964902', '2026-11-28T18:30:31.989Z', 'command line', 'magazine', 'rotated the secret of the webhook 5a2829b9c83d');
INSERT INTO public.panel_log VALUES ('0b808c08-6b5a-4f53-896d-c12871bbb265', '2026-11-28T18:30:33.534Z', 'command line', 'magazine', 'deleted the post “To delete”');
INSERT INTO public.people VALUES ('ann', 'manage', 'magazine', '2026-11-28T18:30:26.663Z');
INSERT INTO public.people VALUES ('ben', 'view', NULL, '2026-11-28T18:30:29.114Z');
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
INSERT INTO public.posts VALUES ('magazine', 'p3', 'Draft', '', 'draft', 'DRAFT', NULL, NULL, '', NULL, '2026-11-28T18:30:20.232Z', '2026-11-28T18:30:20.232Z', '-:p3', 'draft', '{"id":"p3","title":"Draft","subtitle":"","content":"three","slug":"draft","status":"DRAFT","publishedAt":null,"scheduledAt":null,"authorId":"","blogId":"magazine","createdAt":"2026-11-28T18:30:20.232Z","updatedAt":"2026-11-28T18:30:20.232Z","categories":[],"tags":[]}');
INSERT INTO public.posts VALUES ('magazine', 'p1', 'Crème brûlée', 'Dessert', 'Creme-Brulee', 'PUBLISHED', '2026-01-02T00:00:00.000Z', NULL, '', NULL, '2026-11-28T18:30:20.232Z', '2026-11-28T18:30:20.232Z', '063934531200000:p1', 'creme brulee', '{"id":"p1","title":"Crème brûlée","subtitle":"Dessert","content":"<p>one</p>","slug":"Creme-Brulee","status":"PUBLISHED","publishedAt":"2026-01-02T00:00:00.000Z","scheduledAt":null,"authorId":"","blogId":"magazine","createdAt":"2026-11-28T18:30:20.232Z","updatedAt":"2026-11-28T18:30:20.232Z","categories":[{"id":"c1","name":"Äpfel","description":"Obst","blogId":"magazine"}],"tags":[{"id":"t1","name":"red","blogId":"magazine"}]}');
INSERT INTO public.posts VALUES ('magazine', 'p2', 'Second apple', '', 'second', 'PUBLISHED', '2026-01-03T00:00:00.000Z', NULL, '', NULL, '2026-11-28T18:30:20.232Z', '2026-11-28T18:30:20.232Z', '063934617600000:p2', 'second apple', '{"id":"p2","title":"Second apple","subtitle":"","content":"two","slug":"second","status":"PUBLISHED","publishedAt":"2026-01-03T00:00:00.000Z","scheduledAt":null,"authorId":"","blogId":"magazine","createdAt":"2026-11-28T18:30:20.232Z","updatedAt":"2026-11-28T18:30:20.232Z","categories":[{"id":"c1","name":"Äpfel","description":"Obst","blogId":"magazine"}],"tags":[]}');
INSERT INTO public.recycle_bin VALUES ('magazine', 'post', 'p4', 1795890633534, 'To delete', '{"id":"p4","title":"To delete","subtitle":"","content":"four","slug":"gone","status":"PUBLISHED","publishedAt":"2026-01-04T00:00:00.000Z","scheduledAt":null,"authorId":"","blogId":"magazine","createdAt":"2026-11-28T18:30:20.232Z","updatedAt":"2026-11-28T18:30:20.232Z","categories":[],"tags":[]}', NULL);
INSERT INTO public.schema_version VALUES (1);
INSERT INTO public.secrets VALUES ('signing', 'sj2mTiypvpOU7pz4RnUlG8iTbl3zmbQrsKHUEmXvDaU');
INSERT INTO public.used_tokens VALUES ('magazine', '59a6b6cc-5f4d-4503-a02a-5e861c568073.0', 1795891238000);
INSERT INTO public.used_tokens VALUES ('magazine', 'c33254bf-2733-4c7d-8104-73974256b7bd.0', 1795891238000);
INSERT INTO public.webhook_messages VALUES ('magazine', 'msg_599b17c7-6723-4582-874b-e5fa14b38080', '5a2829b9c83d', 'post p4', 1, '{"type":"post.removed","timestamp":"2026-11-28T18:30:33.645Z","data":{"id":"p4","slug":"gone","tags":["posts","post:p4","post:slug:gone"],"revision":"3552c0a4-1ae0-48da-9383-a2da230137b8"}}', '2026-11-28T18:30:33.645Z', 0, '[]', NULL);
INSERT INTO public.webhooks VALUES ('magazine', '5a2829b9c83d', 'https://hook.example/x', '["post.published","post.updated","post.removed","label.changed","ads.changed"]', 'whsec_kH8QqRygNnKgdIvpONS/JcCoWLEXYBFviOvS28S05fI=', '[{"secret":"whsec_zA6jLczkPXVNQWWeT5+hFQOBhO1IJUKwAUqHk3LBzsc=","until":1795977031989}]', '2026-11-28T18:30:30.613Z', NULL, NULL);
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
ALTER TABLE ONLY public.counts
    ADD CONSTRAINT counts_pkey PRIMARY KEY (blog_id, day, ad_id, campaign_id, placement, traffic);
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
CREATE INDEX webhook_messages_due ON public.webhook_messages USING btree (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX webhook_messages_in_order ON public.webhook_messages USING btree (blog_id, seq);
CREATE INDEX webhook_messages_of_hook ON public.webhook_messages USING btree (blog_id, hook_id, next_at, seq) WHERE (next_at IS NOT NULL);
CREATE INDEX webhook_messages_waiting ON public.webhook_messages USING btree (blog_id, hook_id, subject, seq) WHERE (next_at IS NOT NULL);
CREATE TRIGGER api_keys_notify AFTER INSERT OR DELETE OR UPDATE OF revoked_at ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.broadsheet_notify();
CREATE TRIGGER blogs_notify AFTER INSERT OR DELETE OR UPDATE ON public.blogs FOR EACH ROW EXECUTE FUNCTION public.broadsheet_notify();

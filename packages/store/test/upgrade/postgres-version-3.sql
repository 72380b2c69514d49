-- A PostgreSQL database of schema version 3, as pg_dump wrote it.
SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
SET default_tablespace = '';
SET default_table_access_method = heap;
CREATE TABLE public.ad_counts (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    day text NOT NULL COLLATE pg_catalog."C",
    ad_id text NOT NULL COLLATE pg_catalog."C",
    impressions bigint NOT NULL,
    clicks bigint NOT NULL
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
    link_text text COLLATE pg_catalog."C"
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
    revision text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL
);
CREATE TABLE public.counted_clicks (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    ad_id text NOT NULL COLLATE pg_catalog."C",
    visitor text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL
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
CREATE TABLE public.post_labels (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    label_id text NOT NULL COLLATE pg_catalog."C",
    post_id text NOT NULL COLLATE pg_catalog."C",
    sort_key text COLLATE pg_catalog."C"
);
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
    fold_subtitle text NOT NULL COLLATE pg_catalog."C",
    search_row bigint,
    shown text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    words bigint[]
);
ALTER TABLE ONLY public.posts ALTER COLUMN fold_title SET STATISTICS 1000;
ALTER TABLE ONLY public.posts ALTER COLUMN fold_subtitle SET STATISTICS 1000;
CREATE TABLE public.schema_version (
    version integer NOT NULL
);
CREATE TABLE public.secrets (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.used_tokens (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    expires_at bigint NOT NULL
);
CREATE TABLE public.words (
    blog_id text NOT NULL COLLATE pg_catalog."C",
    word text NOT NULL COLLATE pg_catalog."C",
    number bigint NOT NULL,
    posts bigint NOT NULL
);
INSERT INTO public.ad_counts VALUES ('news', '2026-03-01', '00000000-0000-4000-8000-000000000001', 2, 1);
INSERT INTO public.ads VALUES ('news', '00000000-0000-4000-8000-000000000001', 'BANNER', 3, 1, NULL, NULL, NULL, NULL, 'Tea', NULL, NULL);
INSERT INTO public.api_keys VALUES ('2a8a1240f50636655520ac8ed22aa29473b8517b4abfdbc3bc03bcad73fc8849', 'news', '2026-03-01T12:00:00.000Z', NULL);
INSERT INTO public.blogs VALUES ('news', 'The News', '["news.example"]', '4fdb43f9-a5df-41da-b65a-ce64b5edd7cb', 1);
INSERT INTO public.counted_clicks VALUES ('news', '00000000-0000-4000-8000-000000000001', 'v', 1772366400000);
INSERT INTO public.labels VALUES ('news', 'category', 'c', 'É', 'e', '"quoted" \', '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z', 1);
INSERT INTO public.labels VALUES ('news', 'tag', 't', 'T', 't', '', '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z', 1);
INSERT INTO public.post_labels VALUES ('news', 'category', 'c', 'p', '063934444800000:p');
INSERT INTO public.post_labels VALUES ('news', 'tag', 't', 'p', '063934444800000:p');
INSERT INTO public.posts VALUES ('news', 'd', 'Draft', '', 'd', 'DRAFT', NULL, NULL, '', NULL, '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z', '-:d', 'draft', '', NULL, '{"id":"d","title":"Draft","subtitle":"","content":"","slug":"d","status":"DRAFT","publishedAt":null,"scheduledAt":null,"blogId":"news","authorId":"","createdAt":"2026-03-01T12:00:00.000Z","updatedAt":"2026-03-01T12:00:00.000Z","categories":[],"tags":[]}', NULL);
INSERT INTO public.posts VALUES ('news', 'f', 'On Friday', '', 'friday', 'SCHEDULED', NULL, '2026-03-06T09:00:00.000Z', '', NULL, '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z', '-:f', 'on friday', '', NULL, '{"id":"f","title":"On Friday","subtitle":"","content":"","slug":"friday","status":"SCHEDULED","publishedAt":null,"scheduledAt":"2026-03-06T09:00:00.000Z","blogId":"news","authorId":"","createdAt":"2026-03-01T12:00:00.000Z","updatedAt":"2026-03-01T12:00:00.000Z","categories":[],"tags":[]}', NULL);
INSERT INTO public.posts VALUES ('news', 'p', 'Old words', 'A zebra', 's', 'PUBLISHED', '2026-01-01T00:00:00.000Z', NULL, '', NULL, '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.000Z', '063934444800000:p', 'old words', 'a zebra', NULL, '{"id":"p","title":"Old words","subtitle":"A zebra","content":"<p>\"It''s\" \\ 😀 é</p>\n","slug":"s","status":"PUBLISHED","publishedAt":"2026-01-01T00:00:00.000Z","scheduledAt":null,"blogId":"news","authorId":"","createdAt":"2026-03-01T12:00:00.000Z","updatedAt":"2026-03-01T12:00:00.000Z","categories":[{"id":"c","name":"É","description":"\"quoted\" \\","blogId":"news"}],"tags":[{"id":"t","name":"T","blogId":"news"}]}', '{17179869185,17179869186,17179869187,17179869188}');
INSERT INTO public.schema_version VALUES (3);
INSERT INTO public.secrets VALUES ('signing', '7gtbsvA6CNrY1YZHVcD9xZFcWdYfFoQwBMfGj1tAkDY');
INSERT INTO public.used_tokens VALUES ('news', 'used', 1772367000000);
INSERT INTO public.words VALUES ('news', '', 17179869189, 1);
INSERT INTO public.words VALUES ('news', 'old', 17179869185, 1);
INSERT INTO public.words VALUES ('news', 'words', 17179869186, 1);
INSERT INTO public.words VALUES ('news', 'a', 17179869187, 1);
INSERT INTO public.words VALUES ('news', 'zebra', 17179869188, 1);
ALTER TABLE ONLY public.ad_counts
    ADD CONSTRAINT ad_counts_pkey PRIMARY KEY (blog_id, day, ad_id);
ALTER TABLE ONLY public.ads
    ADD CONSTRAINT ads_pkey PRIMARY KEY (blog_id, id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (key_hash);
ALTER TABLE ONLY public.blogs
    ADD CONSTRAINT blogs_pkey PRIMARY KEY (blog_id);
ALTER TABLE ONLY public.counted_clicks
    ADD CONSTRAINT counted_clicks_pkey PRIMARY KEY (blog_id, ad_id, visitor);
ALTER TABLE ONLY public.labels
    ADD CONSTRAINT labels_pkey PRIMARY KEY (blog_id, kind, id);
ALTER TABLE ONLY public.post_labels
    ADD CONSTRAINT post_labels_pkey PRIMARY KEY (blog_id, kind, label_id, post_id);
ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_pkey PRIMARY KEY (blog_id, id);
ALTER TABLE ONLY public.schema_version
    ADD CONSTRAINT schema_version_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.secrets
    ADD CONSTRAINT secrets_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.used_tokens
    ADD CONSTRAINT used_tokens_pkey PRIMARY KEY (blog_id, token_id);
ALTER TABLE ONLY public.words
    ADD CONSTRAINT words_pkey PRIMARY KEY (blog_id, word);
CREATE INDEX api_keys_of_blog ON public.api_keys USING btree (blog_id);
CREATE INDEX counted_clicks_by_age ON public.counted_clicks USING btree (at);
CREATE INDEX post_labels_in_order ON public.post_labels USING btree (blog_id, kind, label_id, sort_key) WHERE (sort_key IS NOT NULL);
CREATE INDEX post_labels_of_post ON public.post_labels USING btree (blog_id, post_id);
CREATE INDEX posts_by_slug ON public.posts USING btree (blog_id, slug);
CREATE INDEX posts_by_word ON public.posts USING gin (words) WHERE (status = 'PUBLISHED'::text);
CREATE INDEX posts_in_order ON public.posts USING btree (blog_id, sort_key) WHERE (status = 'PUBLISHED'::text);
CREATE INDEX used_tokens_by_age ON public.used_tokens USING btree (expires_at);
CREATE INDEX words_by_trigram ON public.words USING gin (((word || ''::text)) public.gin_trgm_ops);


--
-- Create model Country
--
CREATE TABLE "desk_country" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "code" varchar(2) NOT NULL UNIQUE, "name" varchar(100) NOT NULL, "calling_code" varchar(10) NOT NULL);
--
-- Create model EmailTemplate
--
CREATE TABLE "desk_emailtemplate" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "slug" varchar(50) NOT NULL UNIQUE, "subject" varchar(200) NOT NULL, "body" text NOT NULL, "changed_at" datetime NOT NULL);
--
-- Create model Prompt
--
CREATE TABLE "desk_prompt" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "name" varchar(50) NOT NULL UNIQUE, "text" text NOT NULL, "template_id" bigint NOT NULL REFERENCES "desk_emailtemplate" ("id") DEFERRABLE INITIALLY DEFERRED);
--
-- Create model Ticket
--
CREATE TABLE "desk_ticket" ("id" integer NOT NULL PRIMARY KEY AUTOINCREMENT, "title" varchar(200) NOT NULL, "answer_id" bigint NULL REFERENCES "desk_emailtemplate" ("id") DEFERRABLE INITIALLY DEFERRED, "country_id" bigint NOT NULL REFERENCES "desk_country" ("id") DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX "desk_prompt_template_id_c80d55d0" ON "desk_prompt" ("template_id");
CREATE INDEX "desk_ticket_answer_id_026fd289" ON "desk_ticket" ("answer_id");
CREATE INDEX "desk_ticket_country_id_d5823362" ON "desk_ticket" ("country_id");


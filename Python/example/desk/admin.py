from django.contrib import admin

from .models import Country, EmailTemplate, Prompt, Ticket

admin.site.register([Country, EmailTemplate, Prompt, Ticket])
